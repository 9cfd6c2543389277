import { type TableName, tables } from "../lib/dynamo/tables.ts";

/** DynamoDB actions of the operators' commands. None of them changes or deletes a table. */
type OperatorAction =
  | "BatchWriteItem"
  | "DeleteItem"
  | "GetItem"
  | "PutItem"
  | "Query"
  | "Scan"
  | "UpdateItem";

/** A job of operators: what somebody who has it may do, and with which tables. */
export interface OperatorJob {
  readonly name: string;
  /** Continues "Lets an operator". */
  readonly description: string;
  readonly tables: Readonly<Partial<Record<TableName, readonly OperatorAction[]>>>;
  /** Whether the job includes to look at alarms and the dashboard. */
  readonly seesAlarms?: boolean;
  /** Whether the job includes the steps of docs/runbook.md that need no deployment. */
  readonly handlesIncidents?: boolean;
  /**
   * The items of `Settings` that the job is about, by patterns of their ids; all of them unless given. No job may write a
   * kept key set: who could write one could sign tokens for every business.
   */
  readonly settings?: readonly string[];
}

const readEverything = Object.fromEntries(
  (Object.keys(tables) as TableName[])
    .filter((table) => table !== "RateLimits")
    .map((table) => [table, ["GetItem", "Query", "Scan"]]),
);

/** The jobs of operators, each with the least that its commands need. A person may have several. */
export const operatorJobs: readonly OperatorJob[] = [
  {
    name: "Keys",
    description: "issue, list and revoke keys, and block subjects",
    tables: { Credentials: ["DeleteItem", "PutItem", "Scan", "UpdateItem"] },
  },
  {
    name: "Imports",
    description: "import and correct records, publish passes, and repair trades",
    tables: {
      Transactions: ["GetItem", "PutItem", "Query"],
      SellOrders: ["GetItem", "PutItem", "Query"],
      Passes: ["GetItem", "UpdateItem"],
      Trades: ["BatchWriteItem", "DeleteItem", "Query", "Scan"],
      Settings: ["GetItem", "PutItem", "UpdateItem"],
      Audit: ["PutItem"],
    },
    settings: ["market#*", "markets"],
  },
  {
    name: "Switches",
    description: "switch endpoints off and on",
    tables: { Settings: ["DeleteItem", "GetItem", "PutItem"] },
    settings: ["switch#*"],
  },
  {
    name: "Incidents",
    description: "search the logs, set functions back to an earlier version, and turn traffic down",
    tables: { Settings: ["GetItem"] },
    settings: ["key-set#*", "switch#*"],
    seesAlarms: true,
    handlesIncidents: true,
  },
  {
    name: "Reading",
    description: "look at everything and change nothing",
    tables: readEverything,
    seesAlarms: true,
  },
];
