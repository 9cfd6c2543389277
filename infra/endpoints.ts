import type { TableName, tables } from "../lib/dynamo/tables.ts";
import type { EndpointContract } from "../lib/http/contract.ts";
import { getPass } from "../lib/passes/contract.ts";
import { getSellOrder } from "../lib/sell-orders/contract.ts";
import { listTrades } from "../lib/trades/contract.ts";
import { getTransaction, listTransactions } from "../lib/transactions/contract.ts";
import type { ReplacedModule } from "./bundling/stand-ins.ts";

/** DynamoDB actions that a request may need. Scan is left out, because it reads other tenants' records. */
type TableAction = "BatchGetItem" | "GetItem" | "Query" | "UpdateItem";

type IndexName<Table extends TableName> = (typeof tables)[Table]["indexes"][number]["name"];

/** The actions of one function on one table, and the variable that gives the function the table's name. */
export type TableUse = {
  [Table in TableName]: {
    readonly variable: `${string}_TABLE`;
    readonly table: Table;
    /** Actions on the table itself. */
    readonly actions: readonly TableAction[];
    /** Indexes that the function queries; querying an index needs no action on its table. */
    readonly queriedIndexes: readonly IndexName<Table>[];
  };
}[TableName];

/** One endpoint as it is deployed: its contract, the file of its function, and everything that the function may use. */
export interface Endpoint {
  readonly contract: EndpointContract;
  /** The function's file, from the top of the project. */
  readonly entry: `functions/${string}.ts`;
  readonly tables: readonly TableUse[];
  /** Modules of the SDK that the function's stand-ins replace, unless the stage sets `stockSdk`. */
  readonly replaced: readonly ReplacedModule[];
  /** The interface whose access tokens the function takes; each interface has its own audience. */
  readonly tokens?: "business" | "passes";
}

const credentials: TableUse = {
  variable: "CREDENTIALS_TABLE",
  table: "Credentials",
  actions: ["GetItem"],
  queriedIndexes: [],
};

const settings: TableUse = {
  variable: "SETTINGS_TABLE",
  table: "Settings",
  actions: ["GetItem"],
  queriedIndexes: [],
};

/** One conditional update charges a request; a failed one returns the state of the limit. */
const limits: TableUse = {
  variable: "RATE_LIMITS_TABLE",
  table: "RateLimits",
  actions: ["UpdateItem"],
  queriedIndexes: [],
};

/** Modules of the SDK that the functions do without for whose cold start somebody waits. */
const replacedInClient: readonly ReplacedModule[] = ["@aws-sdk/client-dynamodb"];

/** Every deployed endpoint. The API, the functions, their grants and the local gateway follow from this list. */
export const endpoints: readonly Endpoint[] = [
  {
    contract: getTransaction,
    entry: "functions/get-transaction.ts",
    replaced: replacedInClient,
    tokens: "business",
    tables: [
      credentials,
      settings,
      limits,
      {
        variable: "TRANSACTIONS_TABLE",
        table: "Transactions",
        actions: ["GetItem"],
        queriedIndexes: ["by-request"],
      },
    ],
  },
  {
    contract: listTransactions,
    entry: "functions/list-transactions.ts",
    replaced: replacedInClient,
    tokens: "business",
    tables: [
      credentials,
      settings,
      limits,
      {
        variable: "TRANSACTIONS_TABLE",
        table: "Transactions",
        actions: ["Query"],
        queriedIndexes: ["by-created", "by-request"],
      },
    ],
  },
  {
    contract: getSellOrder,
    entry: "functions/get-sell-order.ts",
    replaced: replacedInClient,
    tables: [
      credentials,
      settings,
      limits,
      { variable: "SELL_ORDERS_TABLE", table: "SellOrders", actions: ["GetItem"], queriedIndexes: [] },
    ],
  },
  {
    contract: getPass,
    entry: "functions/get-pass.ts",
    replaced: replacedInClient,
    tokens: "passes",
    tables: [
      // A certificate may be registered itself or by its names; one BatchGetItem looks all of them up.
      { ...credentials, actions: ["BatchGetItem", "GetItem"] },
      settings,
      limits,
      { variable: "PASSES_TABLE", table: "Passes", actions: ["GetItem"], queriedIndexes: [] },
    ],
  },
  {
    contract: listTrades,
    entry: "functions/list-trades.ts",
    replaced: replacedInClient,
    tables: [
      credentials,
      settings,
      limits,
      { variable: "TRADES_TABLE", table: "Trades", actions: ["Query"], queriedIndexes: [] },
    ],
  },
];
