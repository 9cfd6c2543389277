import { type Command, Option } from "commander";
import { parseEndpoint } from "../../local/terminal/option-parsers.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions } from "../store/store-options.ts";
import { type OperatorQueues, openQueues, type QueueOptions } from "./queue-client.ts";
import { noQueues } from "./queue-faults.ts";

/** Adds the options of {@link QueueOptions} to a command. */
export const addQueueOptions = (command: Command): Command =>
  addStoreOptions(command).addOption(
    new Option("--sqs-endpoint <url>", "use this SQS in place of the running service's or the stage's")
      .env("SQS_ENDPOINT")
      .argParser(parseEndpoint),
  );

/** What a command on queues works with. The store is there for the audit and for what records are checked against. */
export interface QueueWork {
  readonly queues: OperatorQueues;
  readonly store: OperatorStore;
}

type Work<Result> = (given: QueueWork) => Promise<Result>;

/**
 * Opens the queues and the store that the options name, works on them, and closes them.
 *
 * @throws {OperatorError} where there are no queues.
 */
export const withQueues = <Result>(options: QueueOptions, work: Work<Result>): Promise<Result> =>
  onQueues(options, (queues) => withExistingStore(options, (store) => work({ queues, store })));

/** The same for work that changes nothing and needs no store. */
export const withQueuesToLookAt = <Result>(
  options: QueueOptions,
  work: (queues: OperatorQueues) => Promise<Result>,
): Promise<Result> => onQueues(options, work);

async function onQueues<Result>(
  options: QueueOptions,
  work: (queues: OperatorQueues) => Promise<Result>,
): Promise<Result> {
  const queues = await openQueues(options);
  if (queues === undefined) throw noQueues(options.stage);
  try {
    return await work(queues);
  } finally {
    queues.close();
  }
}
