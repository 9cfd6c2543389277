import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { scan } from "../../lib/dynamo/scan.ts";
import { physicalTableName, type TableName } from "../../lib/dynamo/tables.ts";
import { readDemoRecords } from "../demo/demo-records.ts";
import { markerIds } from "../demo/marker-ids.ts";
import { seedRecords } from "../demo/seed-records.ts";
import { continueDemoTrades, type DemoTradesParts } from "../demo/trades.ts";
import { dataNames } from "../store/data-files.ts";
import { createLocalClient, openScratchStore } from "../store/engine.ts";
import { readPrivateFile, writePrivateFile } from "../store/private-file.ts";
import { createTables, type TableDefinition } from "../store/tables.ts";

const DAY_MS = 86_400_000;

export interface FreshParts extends Pick<DemoTradesParts, "busy"> {
  readonly tables: readonly TableDefinition[];
  readonly stage: string;
  readonly brand: Brand;
  readonly clock: Clock;
  /** The data directory, where the items are kept for the day. */
  readonly dataDir: string;
}

/** Tables that only operators write. A reset leaves credentials, and the functions write the limits all the time. */
export const OPERATED: readonly TableName[] = ["Transactions", "SellOrders", "Passes", "Trades", "Settings"];

/**
 * The items that a first start would write today. A start that has written them keeps them, so that a reset need not
 * write them again. On another day, or with other settings, they are made in a store in memory, which takes seconds.
 */
export class FreshItems {
  readonly #parts: FreshParts;

  constructor(parts: FreshParts) {
    this.#parts = parts;
  }

  /** Keeps the items of a store that this start has created and filled. Nothing else may have been written into it. */
  async keep(client: DynamoDBClient): Promise<void> {
    await this.#keep(await this.#readAll(client));
  }

  /** The items, with the trades until the instant at which they were made. */
  async read(): Promise<ItemsOfTables> {
    const kept = await readFreshFile(this.#parts.dataDir);
    const now = this.#parts.clock();
    if (kept?.name === (await this.#nameOf(now - (now % DAY_MS)))) return kept.items;
    const items = await this.#make();
    await this.#keep(items);
    return items;
  }

  async #keep(items: ItemsOfTables): Promise<void> {
    await writeFreshFile(this.#parts.dataDir, { name: await this.#nameOf(this.#anchorOf(items)), items });
  }

  /** The midnight that the items are dated by, as their marker says: another one may have passed since. */
  #anchorOf(items: ItemsOfTables): number {
    const settings = items.get(physicalTableName(this.#parts.stage, "Settings")) ?? [];
    return Number(settings.find(({ id }) => id?.S === markerIds.records)?.anchor_ms?.N);
  }

  /** Names what a first start would write: the records with the days of a midnight, and the settings that they depend on. */
  async #nameOf(anchorMs: number): Promise<string> {
    const { brand, stage } = this.#parts;
    const { ownAccount } = brand;
    const records = await readDemoRecords({ anchorMs, ownAccount });
    return createHash("sha256")
      .update(JSON.stringify([stage, brand, records]))
      .digest("hex");
  }

  /** Makes the items by the code that a start runs. */
  async #make(): Promise<ItemsOfTables> {
    const { tables, ...parts } = this.#parts;
    const store = await openScratchStore();
    const client = createLocalClient(store);
    try {
      await createTables(client, tables);
      await seedRecords({ ...parts, client, isEmpty: true });
      await continueDemoTrades({ ...parts, client });
      return await this.#readAll(client);
    } finally {
      client.destroy();
      await store.close();
    }
  }

  async #readAll(client: DynamoDBClient): Promise<ItemsOfTables> {
    const names = OPERATED.map((table) => physicalTableName(this.#parts.stage, table));
    const entries = names.map(async (name) => [name, await Array.fromAsync(scan({ client, name }))] as const);
    return new Map(await Promise.all(entries));
  }
}

/** The items of each table that only operators write, by the table's name. */
export type ItemsOfTables = ReadonlyMap<string, readonly Item[]>;

/** Items that a first start has written, and the name of what it wrote: its day, records and settings. */
interface KeptItems {
  readonly name: string;
  readonly items: ItemsOfTables;
}

/** Keeps the items for later resets, in place of those that are kept. */
const writeFreshFile = (dataDir: string, kept: KeptItems): Promise<void> =>
  writePrivateFile(dataDir, dataNames.freshItems, serialize(kept).toString("base64"));

/** The items that are kept, or undefined when there are none that this version of Node.js can read. */
async function readFreshFile(dataDir: string): Promise<KeptItems | undefined> {
  const text = await readPrivateFile(dataDir, dataNames.freshItems);
  if (text === undefined) return undefined;
  try {
    return deserialize(Buffer.from(text, "base64")) as KeptItems;
  } catch {
    return undefined;
  }
}
