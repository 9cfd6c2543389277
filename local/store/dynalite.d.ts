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

  /** Reads keys or values of LevelDB, and holds a snapshot of it until it is closed. */
  export interface Iterator {
    close(): Promise<void>;
  }

  /** Makes the callback that unlocks and then does something. */
  export type Release = (done: (...results: unknown[]) => void) => (...results: unknown[]) => void;

  /** A part of the database whose keys can be locked, one after the other. */
  export interface Lockable {
    lock: (key: string, act: (release: Release) => void) => void;
  }

  /** What an engine keeps, as far as it is touched here. */
  export interface Store {
    readonly db: { keys(range: object): Iterator; values(range: object): Iterator };
    readonly tableDb: Lockable;
    getItemDb: (table: string) => Lockable;
  }

  const database: { create: (options: EngineOptions) => Store };
  export default database;

  /** What dynalite stores of a table, as far as its indexes go. */
  export interface StoredTable {
    readonly TableName: string;
    readonly TableStatus: string;
    readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string }[];
  }

  /** The index entries that an item has when it takes another's place, or nothing's. */
  export function getIndexActions(
    indexes: readonly object[],
    existingItem: object | undefined,
    item: object,
    table: StoredTable,
  ): { readonly puts: readonly { readonly index: string; readonly key: string; readonly item: object }[] };
}
