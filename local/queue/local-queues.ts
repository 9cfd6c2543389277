import { queueAddress } from "../template/local-names.ts";
import type { QueueDefinition } from "../template/template-queue.ts";
import { type PersistenceManager, type SqsQueue, SqsStore } from "./fauxqs.ts";
import type { QueueJournal } from "./queue-journal.ts";

/** The queues of a template, and what keeps their messages. */
export interface LocalQueues {
  readonly store: SqsStore;
  /** Absent where messages are kept in memory alone. */
  readonly journal: QueueJournal | undefined;
}

/**
 * Makes the queues of a template, with the messages of a journal. A message of a queue that the template no longer has
 * stays in the journal.
 *
 * @param endpoint the address of the queues, with a slash at its end.
 */
export function makeQueues(
  definitions: readonly QueueDefinition[],
  endpoint: string,
  journal?: QueueJournal,
): LocalQueues {
  const store = new SqsStore();
  for (const { name, arn, attributes } of definitions)
    store.createQueue(name, queueAddress(endpoint, name), arn, attributes);
  for (const { queue, message } of journal?.messages ?? []) store.getQueueByName(queue)?.enqueue(message);
  // Only now, because what the journal keeps need not be written into it again.
  if (journal !== undefined)
    for (const queue of store.allQueues()) queue.persistence = journal as unknown as PersistenceManager;
  return { store, journal };
}

/** The number of messages in a queue, whatever their state. */
export function messageCount(queue: SqsQueue): number {
  const { ready, delayed, inflight } = queue.inspectMessages();
  return ready.length + delayed.length + inflight.length;
}
