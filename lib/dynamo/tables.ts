/**
 * The keys and indexes of every table, as data. The data stack creates the tables from this and the stores take the
 * names of indexes from it, so that neither can drift from the other.
 */
export type KeyType = "S" | "N" | "B";

export interface KeySchema {
  readonly partition: { readonly name: string; readonly type: KeyType };
  readonly sort?: { readonly name: string; readonly type: KeyType };
}

interface IndexSchema extends KeySchema {
  readonly name: string;
  readonly projection: "all" | "keys-only";
}

export interface TableSchema extends KeySchema {
  readonly indexes: readonly IndexSchema[];
  /** Attribute that holds the epoch second after which the item may be removed. */
  readonly expiresAt?: string;
}

const string = (name: string) => ({ name, type: "S" }) as const;

export const tables = {
  Transactions: {
    partition: string("business_id"),
    sort: string("id"),
    indexes: [
      {
        name: "by-created",
        partition: string("business_id"),
        sort: string("created_key"),
        projection: "all",
      },
      {
        name: "by-request",
        partition: string("request_key"),
        sort: string("created_key"),
        projection: "keys-only",
      },
    ],
  },
  SellOrders: { partition: string("partner_id"), sort: string("order_id"), indexes: [] },
  Passes: { partition: string("partner_reference"), indexes: [] },
  Trades: { partition: string("pk"), sort: { name: "sk", type: "B" }, indexes: [] },
  Credentials: { partition: string("id"), indexes: [] },
  RateLimits: { partition: string("k"), expiresAt: "x", indexes: [] },
  Settings: { partition: string("id"), indexes: [] },
  Audit: { partition: string("month"), sort: string("at"), indexes: [] },
  Imports: { partition: string("import_id"), sort: string("part"), expiresAt: "x", indexes: [] },
} as const satisfies Record<string, TableSchema>;

export type TableName = keyof typeof tables;

/** The name of a table in an account or on a laptop, which keeps the tables of several stages apart. */
export const physicalTableName = (stage: string, table: TableName): string =>
  `countinghouse-${stage}-${table}`;
