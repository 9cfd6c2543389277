declare module "dynalite" {
  import type { Server } from "node:http";

  /** A DynamoDB on LevelDB, as an HTTP server that is not listening yet. */
  export default function dynalite(options: {
    readonly path?: string;
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
  }): Server;
}

declare module "dynalite/db/index.js" {
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
