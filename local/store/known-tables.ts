import { tableNamesOf } from "./identity.ts";
import { type DescribedTable, type TableShape, type TableShapes, tableShapeOf } from "./table-shape.ts";
import type { StoreHandler, StoreRequest } from "./wire.ts";

/** DynamoDB takes at most 100 items in a batch, and so at most 100 tables. */
const BATCH_TABLES_MAX = 100;

/** The shapes of an engine's tables. Each is asked for once, and kept until `forget`. */
export class KnownTables {
  readonly #engine: StoreHandler;
  readonly #shapes = new Map<string, TableShape>();

  constructor(engine: StoreHandler) {
    this.#engine = engine;
  }

  /** The known shapes; `learn` adds those of a request's tables. */
  readonly shapes: TableShapes = (name) => this.#shapes.get(name);

  /** Asks the engine for the unknown shapes of a request's tables. A table that does not exist has no shape. */
  async learn(request: StoreRequest): Promise<void> {
    for (const name of tableNamesOf(request).slice(0, BATCH_TABLES_MAX)) {
      if (this.#shapes.has(name)) continue;
      const { body } = await this.#engine({ operation: "DescribeTable", input: { TableName: name } });
      const described = body.Table as DescribedTable | undefined;
      if (described !== undefined) this.#shapes.set(name, tableShapeOf(described));
    }
  }

  /** Forgets the shapes of a request's tables, which may have changed. */
  forget(request: StoreRequest): void {
    for (const name of tableNamesOf(request)) this.#shapes.delete(name);
  }
}
