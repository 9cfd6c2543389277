import { type TableName, tables } from "../lib/dynamo/tables.ts";
import type { QueueRole } from "./queues.ts";

/** DynamoDB actions of the operators' commands. None of them changes or deletes a table. */
type OperatorAction =
  | "BatchGetItem"
  | "BatchWriteItem"
  | "DeleteItem"
  | "GetItem"
  | "PutItem"
  | "Query"
  | "Scan"
  | "UpdateItem";

/** Actions of SQS that the operators' commands use. None of them changes or deletes a queue. */
type QueueAction =
  | "CancelMessageMoveTask"
  | "ChangeMessageVisibility"
  | "DeleteMessage"
  | "GetQueueAttributes"
  | "GetQueueUrl"
  | "ListMessageMoveTasks"
  | "ReceiveMessage"
  | "SendMessage"
  | "StartMessageMoveTask";

/** A job of operators: what somebody who has it may do, and with which tables. */
export interface OperatorJob {
  readonly name: string;
  /** Continues "Lets an operator". */
  readonly description: string;
  readonly tables: Readonly<Partial<Record<TableName, readonly OperatorAction[]>>>;
  /** What the job does with the queues of records, in a stage that has them. */
  readonly queues?: Readonly<Partial<Record<QueueRole, readonly QueueAction[]>>>;
  /** Whether the job includes to look at alarms and the dashboard. */
  readonly seesAlarms?: boolean;
  /** Whether the job includes to mute the alarms that remind of switches, and no others. */
  readonly mutesSwitchAlarms?: boolean;
  /** Whether the job includes the steps of docs/runbook.md that need no deployment. */
  readonly handlesIncidents?: boolean;
  /** Whether the job includes to look at everything that `doctor` and `status` look at. */
  readonly diagnoses?: boolean;
  /**
   * The items of `Settings` that the job is about, by patterns of their ids; all of them unless given. No job may write a
   * kept key set: who could write one could sign tokens for every business.
   */
  readonly settings?: readonly string[];
}

/** Of the limits, which say how busy somebody is, only what a key's last use needs. */
const readEverything = Object.fromEntries(
  (Object.keys(tables) as TableName[]).map((table) => [
    table,
    table === "RateLimits" ? ["GetItem"] : ["GetItem", "Query", "Scan"],
  ]),
);

/** How to find a queue, and how much is in it. */
const QUEUE_SIGHT: readonly QueueAction[] = ["GetQueueAttributes", "GetQueueUrl"];
const queueSight = { records: QUEUE_SIGHT, rejected: QUEUE_SIGHT, dead: QUEUE_SIGHT };

/** How to look through a queue, take messages out, and put back what others have in them. */
const QUEUE_ERASURE: readonly QueueAction[] = [
  ...QUEUE_SIGHT,
  "ChangeMessageVisibility",
  "DeleteMessage",
  "ReceiveMessage",
  "SendMessage",
];

/** The jobs of operators, each with the least that its commands need. A person may have several. */
export const operatorJobs: readonly OperatorJob[] = [
  {
    name: "Keys",
    description: "issue, list, label, rotate and revoke keys, and block subjects",
    tables: {
      Credentials: ["DeleteItem", "PutItem", "Scan", "UpdateItem"],
      // The items of limits have the days of last uses.
      RateLimits: ["GetItem"],
      Audit: ["PutItem"],
    },
  },
  {
    name: "Imports",
    description:
      "import and correct records, publish passes, repair trades, and look after the queues of records",
    tables: {
      Transactions: ["BatchGetItem", "GetItem", "PutItem", "Query"],
      SellOrders: ["BatchGetItem", "GetItem", "PutItem", "Query"],
      Passes: ["BatchGetItem", "GetItem", "UpdateItem"],
      Trades: ["BatchGetItem", "BatchWriteItem", "DeleteItem", "PutItem", "Query", "Scan"],
      Imports: ["GetItem", "PutItem", "UpdateItem"],
      // The first market of a stage looks for markets that are older than the list of them.
      Settings: ["GetItem", "PutItem", "Scan", "UpdateItem"],
      Audit: ["PutItem"],
    },
    settings: ["market#*", "markets"],
    queues: {
      records: [...QUEUE_SIGHT, "SendMessage"],
      // What was only looked at is given back.
      rejected: [...QUEUE_SIGHT, "ChangeMessageVisibility", "DeleteMessage", "ReceiveMessage"],
      // Whoever starts a move needs what SQS then does for them; the target needs `SendMessage`.
      dead: [
        ...QUEUE_SIGHT,
        "CancelMessageMoveTask",
        "DeleteMessage",
        "ListMessageMoveTasks",
        "ReceiveMessage",
        "StartMessageMoveTask",
      ],
    },
  },
  {
    name: "Undoing",
    description: "take back what an import stored by mistake",
    tables: {
      Transactions: ["BatchGetItem", "DeleteItem", "PutItem"],
      SellOrders: ["BatchGetItem", "DeleteItem", "PutItem"],
      Passes: ["BatchGetItem", "DeleteItem", "PutItem"],
      Trades: ["BatchGetItem", "DeleteItem", "Query"],
      Settings: ["DeleteItem", "UpdateItem"],
      Imports: ["DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      Audit: ["PutItem"],
    },
    settings: ["market#*", "markets"],
  },
  {
    name: "Erasing",
    description: "erase everything of a business, a partner or a pass",
    tables: {
      Transactions: ["BatchWriteItem", "Query"],
      SellOrders: ["BatchWriteItem", "Query"],
      Passes: ["BatchWriteItem", "Query"],
      Credentials: ["BatchWriteItem", "PutItem", "Scan", "UpdateItem"],
      RateLimits: ["BatchGetItem", "BatchWriteItem"],
      Imports: ["BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan"],
      Audit: ["PutItem"],
    },
    queues: { records: QUEUE_ERASURE, rejected: QUEUE_ERASURE, dead: QUEUE_ERASURE },
  },
  {
    name: "Switches",
    description: "switch endpoints off and on",
    tables: { Settings: ["GetItem", "PutItem"], Audit: ["PutItem"] },
    settings: ["switch#*"],
    mutesSwitchAlarms: true,
  },
  {
    name: "Incidents",
    description: "search the logs, set functions back to an earlier version, and turn traffic down",
    tables: { Settings: ["GetItem"] },
    settings: ["key-set#*", "switch#*"],
    queues: queueSight,
    seesAlarms: true,
    handlesIncidents: true,
  },
  {
    name: "Reading",
    description: "look at everything and change nothing",
    tables: readEverything,
    queues: queueSight,
    seesAlarms: true,
    diagnoses: true,
  },
];
