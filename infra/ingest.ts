import { INGEST_NAME } from "../lib/ingest/settings.ts";
import type { TableGrant } from "./constructs/table-statements.ts";

/** How long the function may take for a batch of messages. */
const TIMEOUT_SECONDS = 60;

/** How long messages are gathered for a batch: more than 10 messages a batch need a window. */
const WINDOW_SECONDS = 2;

/**
 * The function that takes in messages, and everything that it may do with tables: what the registers do, and what they read.
 * By the header of a trace that the SDK's client of SQS sends, Lambda finds endless loops of queues.
 */
export const ingest = {
  name: INGEST_NAME,
  entry: "functions/ingest-records.ts",
  timeoutSeconds: TIMEOUT_SECONDS,
  // Nobody waits for its cold start, and it writes records of money: the SDK as it is published.
  replaced: [],
  tables: [
    { table: "Transactions", actions: ["PutItem"] },
    { table: "SellOrders", actions: ["PutItem"] },
    { table: "Passes", actions: ["UpdateItem"] },
    { table: "Trades", actions: ["BatchWriteItem", "Query"] },
    {
      table: "Settings",
      actions: ["GetItem", "PutItem", "UpdateItem"],
      leadingKeys: ["market#*", "markets"],
    },
    // The first market of a stage looks for markets that are older than the list of them.
    { table: "Settings", actions: ["Scan"] },
  ] satisfies readonly TableGrant[],
} as const;

/**
 * How the queues hand out messages. A message is hidden for six times as long as the function may take and the window, as
 * AWS advises for a function that is throttled. A message that was received five times goes to the dead queue.
 */
export const messageFlow = {
  // Lambda developer guide, Creating and configuring an Amazon SQS event source mapping.
  visibilitySeconds: 6 * TIMEOUT_SECONDS + WINDOW_SECONDS,
  receivesMax: 5,
  batchMessages: 100,
  windowSeconds: WINDOW_SECONDS,
  /**
   * Environments at once: enough for a day's million trades, and little of what requests need. None is reserved: Lambda's
   * throttles would count as receives of messages.
   */
  concurrencyMax: 10,
  /** With attributes. A message within its contract is smaller, and one that is rejected still fits with its reason. */
  messageBytesMax: 256 * 1024,
  /** SQS counts the age of a dead message from its first sending. */
  keptDays: { records: 4, rejected: 14, dead: 14 },
} as const;
