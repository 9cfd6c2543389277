import { type AsStored, createKey, type Database, type Entry, type StoredTable } from "dynalite/db/index.js";
import type { WireItem } from "./behaviour/touched-items.ts";
import { operate } from "./engine-operations.ts";
import { isDiskFull } from "./full-disk.ts";
import { LOCAL_REGION } from "./local-account.ts";
import { openMendedStore } from "./mended-engine.ts";
import { asRequest } from "./request-under-way.ts";
import { INTERNAL_ERROR, type StoreAnswer, type StoreHandler, type StoreRequest } from "./wire.ts";

/** An engine that answers requests, until it is closed. */
export interface StoreEngine {
  readonly handle: StoreHandler;
  /** Resolves when everything is written and closed; rejects when the engine cannot close cleanly. */
  readonly close: () => Promise<void>;
}

/** The embedded engine, whose whole content can be read and replaced while no request is under way. */
export interface EmbeddedEngine extends StoreEngine {
  readonly content: EngineContent;
}

/** Tables, items and index entries, as the engine keeps them. */
export interface EngineContent {
  readonly read: () => Promise<readonly Entry[]>;
  readonly replace: (entries: readonly Entry[]) => Promise<void>;
  /** Puts items into a table without indexes at once. No rule of the store is checked, and no lag is simulated. */
  readonly fill: (table: string, items: readonly WireItem[]) => Promise<void>;
  /** Removes from the files what was deleted or replaced; does nothing in memory. */
  readonly dropDeleted: () => Promise<void>;
}

/** The headers of a signed request. dynalite demands a signature, and does not verify it. */
export const UNVERIFIED_SIGNATURE = {
  authorization: `AWS4-HMAC-SHA256 Credential=local/20150810/${LOCAL_REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
  "x-amz-date": "20150810T000000Z",
  "content-type": "application/x-amz-json-1.0",
} as const;

/** The prefix of the operation's name in the header `X-Amz-Target`. */
export const TARGET_PREFIX = "DynamoDB_20120810.";

/**
 * Opens the embedded engine: dynalite, with its files under `path`, or in memory without a path. The engine listens on
 * no port, so that every request passes the store in front of it. An error that a request makes it throw is reported
 * and answered with a 500. For errors in callbacks, the process must pass its uncaught errors to `failRequestUnderWay`.
 */
export function openEmbeddedEngine(
  path?: string,
  report: (line: string) => void = (line) => console.error(line),
): EmbeddedEngine {
  const store = openMendedStore({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(path !== undefined && { path }),
  });
  const handle = async (request: StoreRequest): Promise<StoreAnswer> => {
    try {
      return await asRequest(() => operate(store, request));
    } catch (error) {
      // A full disk concerns every request, so the caller handles it.
      if (isDiskFull(error)) throw error;
      report(`${request.operation} made the engine throw, and is answered with 500: ${placeOf(error)}`);
      return INTERNAL_ERROR;
    }
  };
  return { handle, close: () => store.db.close(), content: contentOf(store.db) };
}

const AS_STORED: AsStored = { keyEncoding: "buffer", valueEncoding: "buffer" };

const contentOf = (database: Database): EngineContent => ({
  read: () => database.iterator(AS_STORED).all(),
  replace: async (entries) => {
    await database.clear();
    await database.batch(entries.map(([key, value]) => ({ type: "put", key, value, ...AS_STORED })));
  },
  fill: (table, items) => fill(database, table, items),
  dropDeleted: () => dropDeleted(database),
});

async function fill(database: Database, name: string, items: readonly WireItem[]): Promise<void> {
  const table = (await database.get(`table~${name}`)) as StoredTable;
  if (table.GlobalSecondaryIndexes !== undefined)
    throw new Error(`${name} has indexes, which cannot be filled.`);
  const keyOf = (item: WireItem): string => `item-${name}~${createKey(item, table)}`;
  await database.batch(items.map((item) => ({ type: "put", key: keyOf(item), value: item })));
}

/** Below and above every key of the engine. */
const [LOWEST, HIGHEST] = [Buffer.from([0]), Buffer.from([0xff])];

/**
 * LevelDB keeps a deleted value in its files until it merges them. It merges a file only with another that overlaps it,
 * so two marks beyond all keys are written first. The first round empties the log, the second merges what came of it.
 */
async function dropDeleted(database: Database): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const marks = [LOWEST, HIGHEST];
    const value = Buffer.from("{}");
    await database.batch(marks.map((key) => ({ type: "put", key, value, ...AS_STORED })));
    await database.batch(marks.map((key) => ({ type: "del", key, ...AS_STORED })));
    await database.compactRange?.(LOWEST, HIGHEST, AS_STORED);
  }
}

/** The error and the place where it was thrown, in one line. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ""] = /^ +at .*$/m.exec(error.stack ?? "") ?? [];
  return `${error.name}: ${error.message}${first.replace(/^ +/, " ")}`;
}
