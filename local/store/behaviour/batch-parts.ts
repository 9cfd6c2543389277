import { ownMember } from "../../../lib/own-member.ts";
import { listOf, membersOf } from "../members.ts";
import type { TableShapes } from "../table-shape.ts";
import type { StoreRequest } from "../wire.ts";
import { type TouchedItem, touchedItems } from "./touched-items.ts";

/** One of the items that a batch asks for or changes. */
export interface BatchPart {
  readonly tableName: string;
  /** In a batch of reads, the item's key; in a batch of writes, the request to put or delete the item. */
  readonly part: unknown;
  /** Undefined when the part is malformed. */
  readonly item: TouchedItem | undefined;
}

type RequestItems = Readonly<Record<string, unknown>>;

/** The parts of a batch; with `items`, those that an answer left unprocessed. */
export function partsOf(
  { operation, input }: StoreRequest,
  tables: TableShapes,
  items: RequestItems = input.RequestItems as RequestItems,
): readonly BatchPart[] {
  return Object.entries(items ?? {}).flatMap(([tableName, asked]) => {
    const parts = operation === "BatchGetItem" ? membersOf(asked)?.Keys : asked;
    return listOf(parts).map((part) => {
      const RequestItems = { [tableName]: operation === "BatchGetItem" ? { Keys: [part] } : [part] };
      return { tableName, part, item: touchedItems({ operation, input: { RequestItems } }, tables)[0] };
    });
  });
}

/** A batch's `RequestItems` with only some of its parts. */
export function batchOf({ operation, input }: StoreRequest, parts: readonly BatchPart[]): RequestItems {
  const asked = input.RequestItems as Readonly<Record<string, object>>;
  const byTable = Object.groupBy(parts, ({ tableName }) => tableName);
  return Object.fromEntries(
    Object.entries(byTable).map(([tableName, some = []]) => {
      const these = some.map(({ part }) => part);
      return [
        tableName,
        operation === "BatchGetItem" ? { ...ownMember(asked, tableName), Keys: these } : these,
      ];
    }),
  );
}
