import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { scan } from "../../lib/dynamo/scan.ts";
import { seedRecords } from "../demo/seed-records.ts";
import { continueDemoTrades } from "../demo/trades.ts";
import { createLocalClient, type OwnStore, openScratchStore } from "../store/engine.ts";
import { createTables, type TableDefinition } from "../store/tables.ts";

const DAY_MS = 86_400_000;

export interface FreshParts {
  readonly tables: readonly TableDefinition[];
  readonly stage: string;
  readonly brand: Brand;
  readonly clock: Clock;
}

/** The items of each table, by the table's name. */
export type ItemsOfTables = ReadonlyMap<string, readonly Item[]>;

interface Scratch {
  readonly store: OwnStore;
  readonly client: DynamoDBClient;
  /** The day that the records are dated by. */
  readonly day: number;
}

/**
 * The items that a first start would write now. They are written into a store in memory, by the code that a start runs,
 * which takes seconds. The store is kept for the day, because the next call needs only the trades since.
 */
export class FreshItems {
  readonly #parts: FreshParts;
  #scratch: Scratch | undefined;

  constructor(parts: FreshParts) {
    this.#parts = parts;
  }

  /** The items as of now. */
  async read(): Promise<ItemsOfTables> {
    const { tables, ...parts } = this.#parts;
    const { client } = await this.#today();
    await seedRecords({ ...parts, client });
    await continueDemoTrades({ ...parts, client });
    const entries = tables.map(
      async ({ name }) => [name, await Array.fromAsync(scan({ client, name }))] as const,
    );
    return new Map(await Promise.all(entries));
  }

  /** Ends the store in memory. */
  async close(): Promise<void> {
    const scratch = this.#scratch;
    this.#scratch = undefined;
    scratch?.client.destroy();
    await scratch?.store.close();
  }

  async #today(): Promise<Scratch> {
    const day = Math.floor(this.#parts.clock() / DAY_MS);
    if (this.#scratch?.day === day) return this.#scratch;
    await this.close();
    const store = await openScratchStore();
    const client = createLocalClient(store);
    this.#scratch = { store, client, day };
    await createTables(client, this.#parts.tables);
    return this.#scratch;
  }
}
