import { tableNamesOf } from "./identity.ts";
import { type DescribedTable, type TableShape, type TableShapes, tableShapeOf } from "./table-shape.ts";
import type { StoreHandler, StoreRequest } from "./wire.ts";

/** More tables than this are in no batch that DynamoDB takes. */
const BATCH_TABLES_MAX = 100;

/** The shapes of an engine's tables, each asked for once, and forgotten when its table is created or deleted. */
export class KnownTables {
  readonly #engine: StoreHandler;
  readonly #shapes = new Map<string, TableShape>();

  constructor(engine: StoreHandler) {
    this.#engine = engine;
  }

  /** The shapes that are known; those of a request's tables once `learn` has seen it. */
  readonly shapes: TableShapes = (name) => this.#shapes.get(name);

  /** Asks the engine for the shapes of a request's tables. One that is not there has none. */
  async learn(request: StoreRequest): Promise<void> {
    for (const name of tableNamesOf(request).slice(0, BATCH_TABLES_MAX)) {
      if (this.#shapes.has(name)) continue;
      const { body } = await this.#engine({ operation: "DescribeTable", input: { TableName: name } });
      const described = body.Table as DescribedTable | undefined;
      if (described !== undefined) this.#shapes.set(name, tableShapeOf(described));
    }
  }

  /** Forgets the shapes of a request's tables, which may be others by now. */
  forget(request: StoreRequest): void {
    for (const name of tableNamesOf(request)) this.#shapes.delete(name);
  }
}
