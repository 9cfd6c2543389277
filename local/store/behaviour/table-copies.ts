import type { Clock } from "../../../lib/clock.ts";
import { type IndexShape, type KeyShape, keyAttributes, type TableShape } from "../table-shape.ts";
import type { StoreHandler } from "../wire.ts";
import { askCopy, CopyRefused, LaggingCopy } from "./lagging-copy.ts";
import type { WireItem } from "./touched-items.ts";

/** The copies of a table: one for its eventually consistent reads, and one for each index. */
export interface TableCopies {
  readonly table: LaggingCopy | undefined;
  readonly indexes: ReadonlyMap<string, LaggingCopy>;
}

export interface CopiesOptions {
  readonly engine: StoreHandler;
  /** Opens an empty store. */
  readonly replica: () => Promise<StoreHandler>;
  readonly clock: Clock;
  readonly random: () => number;
  /** The longest time that an index lags behind its table; 0 for no lag. */
  readonly indexLagMs: number;
  /** The longest time that an eventually consistent read of a table lags behind the writes; 0 for no lag. */
  readonly eventualLagMs: number;
}

export const NO_COPIES: TableCopies = { table: undefined, indexes: new Map() };

/** The most writes that DynamoDB takes in one batch. */
const BATCH_MAX = 25;

/**
 * Copies a table as it is now. Resolves to undefined when the engine refuses to scan the table, and to `NO_COPIES` when
 * a copy refuses one of the items: the reads of that table are then answered by the engine, without lag.
 */
export const copyTable = (options: CopiesOptions, shape: TableShape): Promise<TableCopies | undefined> =>
  makeCopies(options, shape).catch((error: unknown) => {
    if (error instanceof CopyRefused) return NO_COPIES;
    throw error;
  });

async function makeCopies(options: CopiesOptions, shape: TableShape): Promise<TableCopies | undefined> {
  const { engine, indexLagMs, eventualLagMs } = options;
  const stores: StoreHandler[] = [];
  const copy = async (lagMs: number, index?: IndexShape): Promise<LaggingCopy | undefined> => {
    if (lagMs === 0) return undefined;
    const store = await options.replica();
    await createTable(store, shape, index);
    stores.push(store);
    return new LaggingCopy({ store, lagMs, clock: options.clock, random: options.random });
  };
  const table = await copy(eventualLagMs);
  const indexes = new Map<string, LaggingCopy>();
  for (const index of shape.indexes) {
    const made = await copy(indexLagMs, index);
    if (made !== undefined) indexes.set(index.name, made);
  }
  if (stores.length > 0 && !(await copyItems(engine, shape.name, stores))) return undefined;
  return { table, indexes };
}

/** Copies all items of a table into `stores`. Resolves to false when the engine refuses to scan the table. */
async function copyItems(
  engine: StoreHandler,
  tableName: string,
  stores: readonly StoreHandler[],
): Promise<boolean> {
  let ExclusiveStartKey: unknown;
  do {
    const { status, body } = await engine({
      operation: "Scan",
      input: {
        TableName: tableName,
        ConsistentRead: true,
        ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
      },
    });
    if (status !== 200) return false;
    await Promise.all(stores.map((store) => putItems(store, tableName, body.Items as readonly WireItem[])));
    ExclusiveStartKey = body.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return true;
}

async function putItems(store: StoreHandler, tableName: string, items: readonly WireItem[]): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH_MAX) {
    const puts = items.slice(at, at + BATCH_MAX).map((Item) => ({ PutRequest: { Item } }));
    await askCopy(store, "BatchWriteItem", { RequestItems: { [tableName]: puts } });
  }
}

/** Creates a table with at most one of its indexes, and waits until it is active. */
async function createTable(
  store: StoreHandler,
  shape: TableShape,
  index: IndexShape | undefined,
): Promise<void> {
  const keys = [...keyAttributes(shape), ...(index === undefined ? [] : keyAttributes(index))];
  const types = new Map(keys.map(({ name, type }) => [name, type]));
  await askCopy(store, "CreateTable", {
    TableName: shape.name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keySchema(shape),
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    ...(index !== undefined && { GlobalSecondaryIndexes: [indexDefinition(index, new Set(types.keys()))] }),
  });
  let status: string;
  do {
    const { Table } = await askCopy(store, "DescribeTable", { TableName: shape.name });
    status = (Table as { TableStatus: string }).TableStatus;
  } while (status !== "ACTIVE");
}

const keySchema = (shape: KeyShape): object[] =>
  keyAttributes(shape).map(({ name }, at) => ({ AttributeName: name, KeyType: at === 0 ? "HASH" : "RANGE" }));

function indexDefinition(index: IndexShape, keys: ReadonlySet<string>): object {
  const { projectionType: ProjectionType, projects } = index;
  const NonKeyAttributes = projects === "all" ? [] : [...projects].filter((name) => !keys.has(name));
  return {
    IndexName: index.name,
    KeySchema: keySchema(index),
    Projection: { ProjectionType, ...(ProjectionType === "INCLUDE" && { NonKeyAttributes }) },
  };
}
