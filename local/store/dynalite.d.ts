declare module "dynalite/db/index.js" {
  export interface EngineOptions {
    readonly path?: string;
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
  }

  /** Reads keys or values of LevelDB, and holds a snapshot of the database until `close`. */
  export interface Iterator {
    close(): Promise<void>;
  }

  /** One key and its value, as bytes of LevelDB. */
  export type Entry = readonly [key: Buffer, value: Buffer];

  /** The encoding of keys and values that are read and written as they are stored. */
  export interface AsStored {
    readonly keyEncoding: "buffer";
    readonly valueEncoding: "buffer";
  }

  /** Takes a value that was read, or undefined for none. */
  export type Taker = (error: Error | null, value?: unknown) => void;

  /** The members of a LevelDB that this project uses. */
  export interface Database {
    /** Waits until everything is written. Rejects when the files cannot be closed cleanly. */
    close(): Promise<void>;
    keys(range: object): Iterator;
    values(range: object): Iterator;
    iterator(options: AsStored): { all(): Promise<Entry[]> };
    clear(): Promise<void>;
    get(key: string): Promise<unknown>;
    get(key: string, take: Taker): void;
    /** Throws while the database is not open. */
    getSync(key: string): unknown;
    batch(
      operations: readonly { readonly type: "put"; readonly key: string; readonly value: object }[],
    ): Promise<void>;
    batch(
      operations: readonly (AsStored &
        (
          | { readonly type: "put"; readonly key: Buffer; readonly value: Buffer }
          | { readonly type: "del"; readonly key: Buffer }
        ))[],
    ): Promise<void>;
    /** Merges the files that hold keys of a range; absent from a database in memory. */
    compactRange?(start: Buffer, end: Buffer, options: AsStored): Promise<void>;
  }

  /** Wraps a callback: the wrapper unlocks the key and then calls `done`. */
  export type Release = (done: (...results: unknown[]) => void) => (...results: unknown[]) => void;

  /** A part of the database that locks keys. Requests for a locked key run one after the other. */
  export interface Lockable {
    lock: (key: string, act: (release: Release) => void) => void;
  }

  /** The members of dynalite's store that this project uses. */
  export interface Store {
    readonly db: Database;
    readonly tableDb: Lockable;
    getItemDb: (table: string) => Lockable;
  }

  /** A DynamoDB on LevelDB. */
  export function create(options: EngineOptions): Store;

  /** A table as dynalite stores it: the members that concern its indexes. */
  export interface StoredTable {
    readonly TableName: string;
    readonly TableStatus: string;
    readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string }[];
  }

  /** The key of an item within its table. */
  export function createKey(item: object, table: StoredTable): string;

  /** The index entries to put when `item` replaces `existingItem`, or is new. */
  export function getIndexActions(
    indexes: readonly object[],
    existingItem: object | undefined,
    item: object,
    table: StoredTable,
  ): { readonly puts: readonly { readonly index: string; readonly key: string; readonly item: object }[] };
}

declare module "dynalite/validations/index.js" {
  import type { Store } from "dynalite/db/index.js";

  /** What an operation takes. */
  export interface InputRules {
    readonly types: object;
    readonly custom?: (data: object, store: Store) => string | undefined;
  }

  /** Runs an operation on an input that keeps its rules. */
  export type Action = (
    store: Store,
    data: object,
    done: (error: unknown, body?: Readonly<Record<string, unknown>>) => void,
  ) => void;

  /** The input as the operation takes it. Deletes members that it does not know. */
  export function checkTypes(data: object, types: object): object;
  export function checkValidations(
    data: object,
    types: object,
    custom: InputRules["custom"],
    store: Store,
  ): void;
}

declare module "dynalite/actions/*.js" {
  import type { Action } from "dynalite/validations/index.js";

  const act: Action;
  export default act;
}

declare module "dynalite/validations/*.js" {
  import type { InputRules } from "dynalite/validations/index.js";

  const rules: InputRules;
  export default rules;
}

declare module "dynalite/db/conditionParser.js" {
  import type { ExpressionParser } from "./known-expressions.ts";

  const parser: ExpressionParser;
  export default parser;
}

declare module "dynalite/db/updateParser.js" {
  export { default } from "dynalite/db/conditionParser.js";
}
