declare module "dynalite" {
  import type { Server } from "node:http";

  export interface EngineOptions {
    readonly path?: string;
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
  }

  /** A DynamoDB on LevelDB, as an HTTP server that is not listening yet. */
  export default function dynalite(options: EngineOptions): Server;
}

declare module "dynalite/db/index.js" {
  import type { EngineOptions } from "dynalite";

  /** Reads keys or values of LevelDB, and holds a snapshot of the database until `close`. */
  export interface Iterator {
    close(): Promise<void>;
  }

  /** Wraps a callback: the wrapper unlocks the key and then calls `done`. */
  export type Release = (done: (...results: unknown[]) => void) => (...results: unknown[]) => void;

  /** A part of the database that locks keys. Requests for a locked key run one after the other. */
  export interface Lockable {
    lock: (key: string, act: (release: Release) => void) => void;
  }

  /** The members of dynalite's store that this project uses. */
  export interface Store {
    readonly db: { keys(range: object): Iterator; values(range: object): Iterator };
    readonly tableDb: Lockable;
    getItemDb: (table: string) => Lockable;
  }

  const database: { create: (options: EngineOptions) => Store };
  export default database;

  /** A table as dynalite stores it: the members that concern its indexes. */
  export interface StoredTable {
    readonly TableName: string;
    readonly TableStatus: string;
    readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string }[];
  }

  /** The index entries to put when `item` replaces `existingItem`, or is new. */
  export function getIndexActions(
    indexes: readonly object[],
    existingItem: object | undefined,
    item: object,
    table: StoredTable,
  ): { readonly puts: readonly { readonly index: string; readonly key: string; readonly item: object }[] };
}
