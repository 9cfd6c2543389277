import type { TableShapes } from "../table-shape.ts";
import type { StoreAnswer, StoreHandler, StoreInput, StoreRequest } from "../wire.ts";
import { CopyRefused, type LaggingCopy } from "./lagging-copy.ts";
import { type CopiesOptions, copyTable, NO_COPIES, type TableCopies } from "./table-copies.ts";
import { type TouchedItem, touchedItems, type WireItem, WRITES } from "./touched-items.ts";
import { ItemTurns } from "./writes-in-turn.ts";

/** The share of reads that a copy answers: two of a partition's three nodes do not take its writes. */
const COPY_SHARE = 2 / 3;

export interface LagOptions extends CopiesOptions {
  readonly tables: TableShapes;
}

/**
 * Lets reads that are not strongly consistent lag behind the writes, as in DynamoDB. An index is read from a copy,
 * which shows each change at most `indexLagMs` after its write was answered. A table, without `ConsistentRead`, is read
 * from the engine or from a copy, which shows each change at most `eventualLagMs` after its write was answered.
 * Strongly consistent reads and writes go to the engine. Items stored before the first use of a table are in its copies
 * from the beginning.
 */
export function lagging(options: LagOptions): StoreHandler {
  const store = new LaggingStore(options);
  return (request) => store.answer(request);
}

class LaggingStore {
  readonly #options: LagOptions;
  readonly #turns = new ItemTurns();
  readonly #copies = new Map<string, Promise<TableCopies | undefined>>();

  constructor(options: LagOptions) {
    this.#options = options;
  }

  async answer(request: StoreRequest): Promise<StoreAnswer> {
    const { operation, input } = request;
    if (WRITES.has(operation)) return this.#write(request);
    if (operation === "BatchGetItem") return this.#batchGet(request);
    if (operation === "GetItem" || operation === "Query" || operation === "Scan") {
      return (await this.#readCopy(request, request)) ?? this.#options.engine(request);
    }
    const answer = await this.#options.engine(request);
    if (operation === "CreateTable" || operation === "DeleteTable")
      this.#copies.delete(input.TableName as string);
    return answer;
  }

  /** The answer of a copy; undefined when the engine is to answer. A copy that cannot follow its table is replaced. */
  async #readCopy(place: StoreRequest, request: StoreRequest): Promise<StoreAnswer | undefined> {
    const copy = await this.#copyFor(place);
    try {
      return await copy?.read(request);
    } catch (error) {
      if (!(error instanceof CopyRefused)) throw error;
      this.#copies.delete(place.input.TableName as string);
      return (await this.#copyFor(place))?.read(request);
    }
  }

  /** The copy that answers a read; undefined when the engine is to answer. */
  async #copyFor({ operation, input }: StoreRequest): Promise<LaggingCopy | undefined> {
    if (input.ConsistentRead === true) return undefined;
    const { table, indexes } = await this.#copiesOf(input.TableName);
    if (input.IndexName !== undefined) return indexes.get(input.IndexName as string);
    // Each store scans in an order of its own, so all pages of a scan come from the same one.
    return operation === "Scan" || this.#options.random() < COPY_SHARE ? table : undefined;
  }

  /** Answers a batch from the engine, which judges the whole batch, and then takes some tables' items from copies. */
  async #batchGet(request: StoreRequest): Promise<StoreAnswer> {
    const answer = await this.#options.engine(request);
    if (answer.status !== 200) return answer;
    const body = { Responses: {}, UnprocessedKeys: {}, ...answer.body };
    for (const [TableName, part] of Object.entries(
      request.input.RequestItems as Record<string, StoreInput>,
    )) {
      const { RequestItems: _, ...rest } = request.input;
      const stale = await this.#readCopy(
        { operation: "GetItem", input: { ...part, TableName } },
        { ...request, input: { ...rest, RequestItems: { [TableName]: part } } },
      );
      if (stale === undefined) continue;
      body.Responses = { ...body.Responses, ...(stale.body.Responses as object) };
      const { [TableName]: __, ...unprocessed } = body.UnprocessedKeys as Record<string, unknown>;
      body.UnprocessedKeys = { ...unprocessed, ...(stale.body.UnprocessedKeys as object) };
    }
    return { ...answer, body };
  }

  /** Writes of one item wait for each other, so that the item read after a write is the result of that write. */
  #write(request: StoreRequest): Promise<StoreAnswer> {
    const items = touchedItems(request, this.#options.tables);
    return this.#turns.take(items, async () => {
      await Promise.all(items.map(({ tableName }) => this.#copiesOf(tableName)));
      const since = this.#options.clock();
      let isRefused = false;
      try {
        const answer = await this.#options.engine(request);
        isRefused = answer.status !== 200;
        return answer;
      } finally {
        // A write whose answer is lost may have taken effect.
        if (!isRefused) await Promise.all(items.map((item) => this.#follow(item, since)));
      }
    });
  }

  /** Tells the copies of a write that took effect. Copies that cannot follow are replaced; the write does not fail. */
  async #follow(item: TouchedItem, since: number): Promise<void> {
    await this.#record(item, since).catch(() => this.#copies.delete(item.tableName));
  }

  async #record(item: TouchedItem, since: number): Promise<void> {
    const { tableName: TableName, key: Key } = item;
    const { table, indexes } = await this.#copiesOf(TableName);
    const copies = [table, ...indexes.values()].filter((copy) => copy !== undefined);
    if (copies.length === 0) return;
    const question = { operation: "GetItem", input: { TableName, Key, ConsistentRead: true } } as const;
    const answer = await this.#options.engine(question).catch(() => undefined);
    // Without the item's new image the copies are wrong, so the next request copies the table again.
    if (answer?.status !== 200) this.#copies.delete(TableName);
    else await Promise.all(copies.map((copy) => copy.follow(item, answer.body.Item as WireItem, since)));
  }

  async #copiesOf(tableName: unknown): Promise<TableCopies> {
    const shape = this.#options.tables(tableName as string);
    if (shape === undefined) return NO_COPIES;
    const copying = this.#copies.get(shape.name) ?? copyTable(this.#options, shape);
    this.#copies.set(shape.name, copying);
    const copies = await copying.catch(() => undefined);
    if (copies !== undefined) return copies;
    // Either the table does not exist any more, and the engine will say so, or copying failed, and the next request
    // tries again.
    if (this.#copies.get(shape.name) === copying) this.#copies.delete(shape.name);
    await copying;
    return NO_COPIES;
  }
}
