import { queueName } from "../../infra/queues.ts";
import { type ClaimedPort, claimQueuePort, isLoopback, reachableHost } from "../gateway/port.ts";
import type { Pools } from "../runtime/function-pools.ts";
import { queueAddress } from "../template/local-names.ts";
import { LOCAL_STAGE } from "../template/local-stage.ts";
import type { Application } from "../template/template.ts";
import type { EventSourceDefinition } from "../template/template-queue.ts";
import { EventSource } from "./event-source.ts";
import type { SqsQueue } from "./fauxqs.ts";
import { type LocalQueues, makeQueues, messageCount } from "./local-queues.ts";
import { QueueJournal } from "./queue-journal.ts";
import { serveQueues } from "./queue-server.ts";

/** Where programs find the queues. */
export interface QueueAddresses {
  /** The endpoint, as `aws sqs --endpoint-url` takes it. */
  readonly endpoint: string;
  /** The address of the queue that takes records. */
  readonly url: string;
}

/** The queues of a running service. */
export interface OpenQueues extends QueueAddresses {
  /** Removes every message, those under way too. */
  readonly purge: () => void;
  /** Removes from the data directory what is left there of messages that are gone. */
  readonly dropDeleted: () => void;
}

interface QueuesOptions {
  readonly application: Application;
  /** The functions' pools as they are at each moment: a reset replaces them. */
  readonly pools: Pools;
  readonly dataDir: string;
  readonly host: string;
  readonly claimed: ClaimedPort;
  readonly isOwnHost: (host: string) => boolean;
  /** Seconds after which a message that failed can be received again, if not as on Lambda. */
  readonly retryS?: number | undefined;
  readonly log: (functionName: string, line: string) => void;
  /** Receives a line on the messages that wait when the service ends. */
  readonly progress: (line: string) => void;
}

/** The batches under way get so long when the service ends. One that is cut off is delivered again by the next start. */
const ENDING_MS = 2_000;

/** A port for the queues, which everybody who reaches it can send to. */
export async function claimForQueues(
  options: Parameters<typeof claimQueuePort>[0],
  warn: (line: string) => void,
): Promise<ClaimedPort> {
  const claimed = await claimQueuePort(options, warn);
  const { host } = options;
  if (!isLoopback(host))
    warn(`Everybody who reaches ${host} can send records of any owner to the queue on port ${claimed.port}.`);
  return claimed;
}

/** Where the queues of a service are found that listens on a port. */
export function queueAddresses(host: string, port: number): QueueAddresses {
  const endpoint = `http://${reachableHost(host)}:${port}`;
  return { endpoint, url: queueAddress(`${endpoint}/`, queueName(LOCAL_STAGE, "records")) };
}

/**
 * Serves the template's queues, and takes their messages to its functions, until `running` ends. Messages are kept in the
 * data directory. Throws a `StartError` for a port that another program has taken.
 */
export async function openQueues(options: QueuesOptions, running: AsyncDisposableStack): Promise<OpenQueues> {
  const { application, dataDir, host, claimed, progress } = options;
  const addresses = queueAddresses(host, claimed.port);
  const journal = await QueueJournal.open(dataDir);
  const queues = makeQueues(application.queues, `${addresses.endpoint}/`, journal);
  running.defer(() => {
    for (const line of waitingLines(queues)) progress(line);
    journal.close();
  });
  await claimed.release();
  const log = (line: string): void => options.log("queue", line);
  const { isOwnHost } = options;
  const server = await serveQueues({ queues, host, port: claimed.port, isOwnHost, log });
  running.defer(() => server.close());
  const sources = application.eventSources.map((source) => eventSourceOf(source, queues, options));
  running.defer(async () => void (await Promise.all(sources.map((source) => source.close(ENDING_MS)))));
  return { ...addresses, purge: () => purgeAll(queues), dropDeleted: () => journal.dropDeleted() };
}

function eventSourceOf(
  source: EventSourceDefinition,
  queues: LocalQueues,
  { pools, retryS, log }: QueuesOptions,
): EventSource {
  return new EventSource({
    source,
    queues,
    queue: queues.store.getQueueByName(source.queueName) as SqsQueue,
    invoke: async (event, requestId) =>
      (await pools.get(source.functionName)?.invoke(event, requestId)) ?? "throttled",
    retryS,
    log: (line) => log("queue", line),
  });
}

function purgeAll({ store, journal }: LocalQueues): void {
  for (const queue of store.allQueues()) queue.purge();
  journal?.flush();
}

/** Says how many messages the next start goes on with, if there are any. */
function waitingLines({ store }: LocalQueues): readonly string[] {
  const waiting = messageCount(store.getQueueByName(queueName(LOCAL_STAGE, "records")) as SqsQueue);
  if (waiting === 0) return [];
  const messages = waiting === 1 ? "1 message waits" : `${waiting.toLocaleString("en")} messages wait`;
  return [`${messages} in the queue. The next start goes on with it.`];
}
