import type { Clock } from "../clock.ts";
import { retryStore } from "../dynamo/retry-store.ts";
import type { BatchReport } from "./batch-report.ts";
import type { Delivery, GivenRecord } from "./delivery.ts";
import type { Turn } from "./fair-tasks.ts";

/** What the parts of a batch share. */
export interface Work {
  readonly clock: Clock;
  readonly report: BatchReport;
  /** Aborts when the time for writing is over. */
  readonly signal: AbortSignal;
  /** Waits between attempts. */
  readonly wait?: Parameters<typeof retryStore>[2];
}

/**
 * Runs a store call, again while the store fails for some seconds.
 *
 * @throws the error of the last attempt, and once the time is over that of the signal.
 */
export async function attempt<Result>(work: Work, call: () => Promise<Result>): Promise<Result> {
  work.signal.throwIfAborted();
  return await retryStore(call, work.signal, work.wait);
}

/** The turn of the message that brought a record. Messages without an owner have turns of their own. */
export const turnOf = ({ head, delivery: { messageId } }: GivenRecord): Turn => ({
  owner: head.owner ?? messageId,
  messageId,
});

/** Returns a message because of one of its records, which an error kept from being stored or rejected. */
export function giveBack(delivery: Delivery, error: unknown, { report }: Work): void {
  delivery.giveBack();
  report.countReturned(delivery.kind, error);
}
