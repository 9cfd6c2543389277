import type { Clock } from "../../../lib/clock.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { keyAttributes, type TableShapes } from "../table-shape.ts";
import type { StoreHandler, StoreRequest } from "../wire.ts";
import { imageOf, touchedItems, type WireItem } from "./touched-items.ts";

/** Items that expired longer ago than this are not deleted. */
const OLDEST_S = 5 * 365 * 86_400;

export interface ExpiryOptions {
  readonly engine: StoreHandler;
  readonly tables: TableShapes;
  /** The attribute with the second after which a table's items may be deleted; undefined when they do not expire. */
  readonly expiresAt: (tableName: string) => string | undefined;
  readonly clock: Clock;
}

/**
 * Deletes items as soon as they expire: no request meets an item whose attribute is a number of epoch seconds in the
 * past, by at most five years. That is the earliest that DynamoDB deletes items. Without this layer they stay forever,
 * whereas DynamoDB "typically" deletes them within a few days. Code that uses expiry must be right in both cases.
 *
 * Items are deleted before a request reaches the engine: the items that the request names, or all expired items of the
 * table before a query or a scan. Each store expires its own items, so a lagging copy has this layer as well.
 */
export function expiring(options: ExpiryOptions): StoreHandler {
  const { engine, tables, expiresAt } = options;
  return async (request) => {
    const { operation, input } = request;
    const isSearch = operation === "Query" || operation === "Scan";
    const attribute = isSearch ? expiresAt(input.TableName as string) : undefined;
    if (attribute !== undefined) await sweep(options, input.TableName as string, attribute);
    await Promise.all(
      touchedItems(request, tables).map(async (item) => {
        const named = expiresAt(item.tableName);
        // A read costs a fraction of a deletion, and hardly any item has expired.
        if (named === undefined || !isExpired(options, await imageOf(engine, item), named)) return;
        await engine(deletion(options, item.tableName, named, item.key));
      }),
    );
    return engine(request);
  };
}

/** Deletes every expired item of a table. */
async function sweep(options: ExpiryOptions, TableName: string, attribute: string): Promise<void> {
  const shape = options.tables(TableName);
  if (shape === undefined) return;
  const names = keyAttributes(shape).map(({ name }, at) => [`#k${at}`, name] as const);
  const { FilterExpression, ExpressionAttributeNames, ...values } = expired(options.clock, attribute);
  let ExclusiveStartKey: unknown;
  do {
    const { body } = await options.engine({
      operation: "Scan",
      input: {
        TableName,
        ConsistentRead: true,
        FilterExpression,
        ExpressionAttributeNames: { ...ExpressionAttributeNames, ...Object.fromEntries(names) },
        ...values,
        ProjectionExpression: names.map(([alias]) => alias).join(", "),
        ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
      },
    });
    const keys = (body.Items ?? []) as readonly WireItem[];
    await Promise.all(keys.map((key) => options.engine(deletion(options, TableName, attribute, key))));
    ExclusiveStartKey = body.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}

/** The request that deletes an item if it is expired, in one step. It fails for any other item, or a missing one. */
function deletion(
  { clock }: ExpiryOptions,
  TableName: string,
  attribute: string,
  Key: WireItem,
): StoreRequest {
  const { FilterExpression: ConditionExpression, ...references } = expired(clock, attribute);
  return { operation: "DeleteItem", input: { TableName, Key, ConditionExpression, ...references } };
}

/** Whether an item is expired, or may be: its deletion compares every digit. */
const isExpired = ({ clock }: ExpiryOptions, item: WireItem | undefined, attribute: string): boolean =>
  Number((ownMember(item, attribute) as { readonly N?: string } | undefined)?.N) <= clock() / 1_000;

/** The condition that an item is expired. A value of another type is neither less nor greater than a number. */
const expired = (clock: Clock, attribute: string) => ({
  FilterExpression: "#expires < :now AND #expires >= :oldest",
  ExpressionAttributeNames: { "#expires": attribute },
  ExpressionAttributeValues: {
    ":now": { N: String(clock() / 1_000) },
    ":oldest": { N: String(clock() / 1_000 - OLDEST_S) },
  },
});
