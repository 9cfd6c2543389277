import { ownMember } from "../../../lib/own-member.ts";
import type { KeyShape, TableShapes } from "../table-shape.ts";
import type { StoreAnswer, StoreHandler, StoreRequest } from "../wire.ts";
import { entryOf, entryWrites, writeUnits } from "./item-units.ts";
import { positionOf } from "./position.ts";
import type { Charge, Use } from "./throughput.ts";
import { imageOf, keyOf, type TouchedItem, type WireItem } from "./touched-items.ts";

/** The units of the smallest eventually consistent read. */
export const LEAST_READ_UNITS = 0.5;

/** The engine and the tables that the consumption of a request is computed from. */
export interface Metering {
  readonly engine: StoreHandler;
  readonly tables: TableShapes;
}

/** An item that a request reads or writes, its image before a write, and the capacity that the request uses. */
export interface Plan {
  readonly item: TouchedItem;
  readonly before?: WireItem | undefined;
  readonly uses: readonly Use[];
}

/** Plans to read an item by its key. */
export function planRead({ tables }: Metering, item: TouchedItem): Plan {
  const { tableName, key } = item;
  const position = positionOf(tables(tableName) as KeyShape, key);
  return { item, uses: [{ kind: "Read", tableName, position, leastUnits: LEAST_READ_UNITS }] };
}

/**
 * Plans to write an item: one use of the table, and one use of each index for the entry that the item has and for the
 * entry that `put` gives it. `put` is the new item; undefined unless the request has it.
 */
export async function planWrite(metering: Metering, item: TouchedItem, put?: WireItem): Promise<Plan> {
  const { tableName, key } = item;
  const { indexes = [], ...shape } = metering.tables(tableName) ?? {};
  const before = await imageOf(metering.engine, item);
  const position = positionOf(shape as KeyShape, key);
  const table: Use = { kind: "Write", tableName, position, leastUnits: writeUnits(before, put) };
  const entries = indexes.flatMap((index) =>
    [before, put]
      .map((image) => entryOf(index, image))
      .filter((entry) => entry !== undefined)
      .map(
        (entry): Use => ({
          ...table,
          indexName: index.name,
          position: positionOf(index, entry),
          leastUnits: writeUnits(entry),
        }),
      ),
  );
  return { item, before, uses: [table, ...entries] };
}

/** The charges for a planned write, after it was done or failed its condition. */
export async function writeCharges(
  metering: Metering,
  { item, before, uses }: Plan,
): Promise<readonly Charge[]> {
  const [table] = uses;
  if (table === undefined) return [];
  const after = await imageOf(metering.engine, item);
  const indexes = metering.tables(item.tableName)?.indexes ?? [];
  const entries = indexes.flatMap((index) =>
    entryWrites(index, before, after).map(({ entry, units }) => {
      const position = positionOf(index, entry);
      return { use: { ...table, indexName: index.name, position }, units };
    }),
  );
  return [{ use: table, units: writeUnits(before, after) }, ...entries];
}

/** The charges for a read: its units, shared among the positions of the items found, or all where the read began. */
export function readCharges(
  shape: KeyShape,
  use: Use,
  answer: StoreAnswer,
  units: number,
): readonly Charge[] {
  const items = (answer.body.Items ?? []) as readonly WireItem[];
  const found = items
    .filter((item) => keyOf(shape, item) !== undefined)
    .map((item) => positionOf(shape, item));
  const positions = found.length === 0 ? [use.position] : found;
  return positions.map((position) => ({ use: { ...use, position }, units: units / positions.length }));
}

/** The charges for a batch of reads: the engine counts units by table, and the items of a table share them. */
export function batchReadCharges(
  plans: readonly Plan[],
  units: ReadonlyMap<string, number>,
): readonly Charge[] {
  const byTable = Object.groupBy(plans, ({ item }) => item.tableName);
  return plans.flatMap(({ item: { tableName }, uses }) =>
    uses.map((use) => ({
      use,
      units: (units.get(tableName) ?? 0) / (ownMember(byTable, tableName)?.length ?? 1),
    })),
  );
}

/** Asks the engine. `units` are those that it counts for each table; `answer` reports units only when asked for. */
export async function metered(engine: StoreHandler, request: StoreRequest) {
  const { ReturnConsumedCapacity = "NONE" } = request.input;
  const isAsked = ReturnConsumedCapacity !== "NONE";
  const input = { ...request.input, ReturnConsumedCapacity: isAsked ? ReturnConsumedCapacity : "TOTAL" };
  const answer = await engine({ ...request, input });
  const { ConsumedCapacity, ...rest } = answer.body;
  const counted = [ConsumedCapacity ?? []].flat() as { TableName: string; CapacityUnits: number }[];
  return {
    answer: isAsked ? answer : { ...answer, body: rest },
    units: new Map(counted.map(({ TableName, CapacityUnits }) => [TableName, CapacityUnits])),
  };
}
