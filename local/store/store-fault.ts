import type { Clock } from "../../lib/clock.ts";
import { type Identity, tableNamesOf } from "./identity.ts";
import { INTERNAL_ERROR, refusalAnswer, type StoreAnswer, type StoreRequest } from "./wire.ts";

/** A fault that one caller of the store meets on purpose, as plain data, because it is sent to the store's thread. */
export type StoreFault =
  | {
      /** DynamoDB's 500, in place of every answer about these tables. */
      readonly kind: "unavailable";
      /** Names of tables; undefined for all of them. */
      readonly tables?: readonly string[];
    }
  | {
      /** The condition of each update of a table fails, as that of a charge does when the tokens are gone. */
      readonly kind: "spent";
      readonly table: string;
      /** The numbers of the item that fails the condition, by attribute, in milliseconds from now. */
      readonly aheadMs: Readonly<Record<string, number>>;
    };

/** A caller that meets a fault. */
export interface FaultyIdentity extends Identity {
  readonly fault?: StoreFault;
}

/** The answer that a caller with a fault gets to a request; undefined where the store answers. */
export function faultAnswer(fault: StoreFault, request: StoreRequest, clock: Clock): StoreAnswer | undefined {
  const named = tableNamesOf(request);
  if (fault.kind === "unavailable") {
    const { tables } = fault;
    return tables === undefined || named.some((name) => tables.includes(name)) ? INTERNAL_ERROR : undefined;
  }
  const { table, aheadMs } = fault;
  if (request.operation !== "UpdateItem" || !named.includes(table)) return undefined;
  const now = clock();
  const numbers = Object.entries(aheadMs).map(([name, ms]) => [name, { N: String(now + ms) }] as const);
  const { Key } = request.input;
  return refusalAnswer({
    code: "ConditionalCheckFailedException",
    message: "The conditional request failed",
    members: { Item: { ...(Key as object), ...Object.fromEntries(numbers) } },
  });
}
