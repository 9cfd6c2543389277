import { ownMember } from "../../../lib/own-member.ts";
import type { KeyShape, TableShapes } from "../table-shape.ts";
import type { StoreAnswer, StoreHandler, StoreRequest } from "../wire.ts";
import { entryOf, entryWrites, writeUnits } from "./item-units.ts";
import { positionOf } from "./position.ts";
import type { Use } from "./throttled.ts";
import type { Charge } from "./throughput.ts";
import { keyOf, type TouchedItem, type WireItem } from "./touched-items.ts";

/** What the smallest read consumes that is not strongly consistent. */
export const LEAST_READ_UNITS = 0.5;

/** What a request's consumption is found with. */
export interface Metering {
  readonly engine: StoreHandler;
  readonly tables: TableShapes;
}

/** An item that a request needs, the places that this takes, and what was stored before if it is a write. */
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
 * Plans to write an item: a place in the table, and in each index those that the item has or is known to get. `put` is what
 * takes the item's place, where the request says it.
 */
export async function planWrite(metering: Metering, item: TouchedItem, put?: WireItem): Promise<Plan> {
  const { tableName, key } = item;
  const { indexes = [], ...shape } = metering.tables(tableName) ?? {};
  const before = await imageOf(metering, item);
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

/** What a write consumed that was planned and then done, or that failed its condition. */
export async function writeCharges(
  metering: Metering,
  { item, before, uses }: Plan,
): Promise<readonly Charge[]> {
  const [table] = uses;
  if (table === undefined) return [];
  const after = await imageOf(metering, item);
  const indexes = metering.tables(item.tableName)?.indexes ?? [];
  const entries = indexes.flatMap((index) =>
    entryWrites(index, before, after).map(({ entry, units }) => {
      const position = positionOf(index, entry);
      return { use: { ...table, indexName: index.name, position }, units };
    }),
  );
  return [{ use: table, units: writeUnits(before, after) }, ...entries];
}

/** What a read consumed, taken where the items lie that it found, or else where it began. */
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

/** What a batch of reads consumed: the engine counts it by table, and it is shared out among the items there. */
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

/** Asks the engine, and tells the units that it counts for each table. The answer has them only when they were asked for. */
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

async function imageOf(
  { engine }: Metering,
  { tableName: TableName, key: Key }: TouchedItem,
): Promise<WireItem | undefined> {
  const input = { TableName, Key, ConsistentRead: true };
  const { body } = await engine({ operation: "GetItem", input });
  return body.Item as WireItem | undefined;
}
