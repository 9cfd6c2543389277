import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import {
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from "@aws-sdk/client-dynamodb";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { writeBatches } from "../../lib/dynamo/batch-write.ts";
import { type Item, keyOf } from "../../lib/dynamo/item.ts";
import { resolveVersion } from "../../lib/dynamo/resolve-version.ts";
import { type Table, tablesOf } from "../../lib/dynamo/table.ts";
import type { putVersioned } from "../../lib/dynamo/versioned-put.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { StartError } from "../process/start-error.ts";
import { LineRun } from "../records/line-run.ts";
import { voidPass } from "../records/void-pass.ts";
import { type WriteDocument, writeLines } from "../records/write-lines.ts";
import {
  type DemoRecords,
  demoRows,
  demoVoidReference,
  type RecordFile,
  readDemoRecords,
} from "./demo-records.ts";
import { markerIds } from "./marker-ids.ts";

const DAY_MS = 86_400_000;

export interface SeedParts {
  readonly client: DynamoDBClient;
  readonly stage: string;
  readonly brand: Brand;
  readonly clock: Clock;
  /** Whether nothing has been written into the tables yet: the records then come in batches, in a tenth of the time. */
  readonly isEmpty?: boolean;
}

/** The demo's records as they were written into the store, and with which own-account word. */
export interface Seeded {
  readonly records: DemoRecords;
  readonly ownAccount: string;
}

/**
 * Writes the demo's records into a store that does not have all of them yet, as an import would: with its reader, order and
 * writers. After an interruption the next call writes the rest, with the days and the own-account word of the first call. A
 * store that has all of them is left alone, so that changes made to it stay.
 *
 * @throws {StartError} when a writer refuses a record; it names the line and the reason.
 */
export async function seedRecords(parts: SeedParts): Promise<Seeded> {
  const { client, stage, brand, clock, isEmpty = false } = parts;
  const markers = new SeedMarkerStore(tablesOf(client, stage)("Settings"));
  const now = clock();
  const today = now - (now % DAY_MS);
  const { anchorMs, ownAccount, isComplete } = await markers.open({
    anchorMs: today,
    ownAccount: brand.ownAccount,
  });
  const records = await readDemoRecords({ anchorMs, ownAccount });
  if (!isComplete) {
    const seeding = { ...parts, brand: { ...brand, ownAccount } };
    await (isEmpty ? writeTogether : writeRecords)(seeding, records, anchorMs);
    // Last, because a pass that is voided refuses its own record, should an interruption make the next start write it again.
    await writePasses(parts, records);
    await markers.complete();
  }
  return { records, ownAccount };
}

async function writeTogether(parts: SeedParts, records: DemoRecords, anchorMs: number): Promise<void> {
  const { client } = parts;
  const gathered = new GatheredPuts();
  await writeRecords(parts, records, anchorMs, gathered.put);
  for (const [name, items] of gathered.list())
    await writeBatches(
      { table: { client, name }, pause },
      items.map((Item) => ({ PutRequest: { Item } })),
    );
}

async function writeRecords(
  parts: SeedParts,
  records: DemoRecords,
  anchorMs: number,
  put?: typeof putVersioned,
): Promise<void> {
  const { client, stage, brand } = parts;
  // The demo's days are the first start's, whatever the clock has become since.
  const place = { table: tablesOf(client, stage), brand, intake: { clock: () => anchorMs }, put };
  const { passes: _, ...rows } = demoRows;
  for (const [name, { writer }] of Object.entries(rows)) {
    const file = records[name as keyof typeof rows];
    await writeRecordFile(file, writer({ ...place, owner: file.ownerId }));
  }
}

async function writePasses({ client, stage, brand, clock }: SeedParts, records: DemoRecords): Promise<void> {
  const table = tablesOf(client, stage);
  const passes = table("Passes");
  // The void comes last of all: after it a start was interrupted that had written everything.
  if ((await new PassStore(passes).get(demoVoidReference))?.state === "void") return;
  await writeRecordFile(records.passes, demoRows.passes.writer({ table, brand }));
  const voided = await voidPass(new PassRegister(passes), demoVoidReference, clock);
  if (voided.outcome === "refused")
    throw new StartError(`The demo's ${demoVoidReference} cannot be voided: ${voided.reason}.`);
}

/** Returns, or throws the first failure, when no write is under way any more. */
async function writeRecordFile({ path, lines }: RecordFile<unknown>, write: WriteDocument): Promise<void> {
  const run = new LineRun(async (line, kind, reason) => {
    if (kind === "refused")
      throw new StartError(`docs/examples/records/${path}, line ${line}, was refused: ${reason}.`);
  });
  await writeLines(Readable.from(lines), run, write);
}

/** What the store remembers about the demo records in it. */
interface SeedMarker {
  /** The midnight (epoch milliseconds, UTC) that all days are counted back from. */
  readonly anchorMs: number;
  /** The own-account word that the records were written with. */
  readonly ownAccount: string;
  /** Whether every record has been written. */
  readonly isComplete: boolean;
}

/**
 * Remembers, in the store itself, that and when the demo was written into it. It lies with the data and not in a file
 * beside it, so that a store on another engine, or one that was emptied, is judged by what it holds.
 */
export class SeedMarkerStore {
  readonly #settings: Table;

  constructor(settings: Table) {
    this.#settings = settings;
  }

  /** The marker that is there; if none is, the given one. Of several processes that begin at once, one decides. */
  async open({ anchorMs, ownAccount }: Omit<SeedMarker, "isComplete">): Promise<SeedMarker> {
    const { Attributes } = await this.#update(
      "SET #anchor = if_not_exists(#anchor, :anchor), #word = if_not_exists(#word, :word)",
      { "#anchor": "anchor_ms", "#word": "own_account" },
      { ":anchor": { N: String(anchorMs) }, ":word": { S: ownAccount } },
    );
    return {
      anchorMs: Number(Attributes?.anchor_ms?.N),
      ownAccount: Attributes?.own_account?.S ?? "",
      isComplete: Attributes?.complete?.BOOL === true,
    };
  }

  /** Says that every record has been written. */
  async complete(): Promise<void> {
    await this.#update("SET #complete = :true", { "#complete": "complete" }, { ":true": { BOOL: true } });
  }

  #update(change: string, names: Record<string, string>, values: Item): Promise<UpdateItemCommandOutput> {
    return this.#settings.client.send(
      new UpdateItemCommand({
        TableName: this.#settings.name,
        Key: { id: { S: markerIds.records } },
        UpdateExpression: change,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
        ReturnValues: "ALL_NEW",
      }),
    );
  }
}

/**
 * Versions of records for tables that are empty yet: resolved in memory by the same rules as in a store, to be written
 * together, which takes a fraction of the time.
 */
export class GatheredPuts {
  readonly #items = new Map<string, Map<string, Item>>();

  /** Stands in for `putVersioned`. */
  readonly put: typeof putVersioned = async ({ name }, record, correction) => {
    const items = this.#items.get(name) ?? new Map<string, Item>();
    this.#items.set(name, items);
    const key = JSON.stringify(keyOf(record.item, record.key));
    const { outcome, item } = resolveVersion(items.get(key) ?? {}, record, correction);
    if (item !== undefined) items.set(key, item);
    return outcome;
  };

  /** The items of each table, by its name. */
  list(): readonly (readonly [table: string, items: readonly Item[]])[] {
    return [...this.#items].map(([table, items]) => [table, [...items.values()]]);
  }
}
