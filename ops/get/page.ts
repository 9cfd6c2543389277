import type { Dataset, SentRecord } from "./dataset.ts";

/** Records that were read, and from where the reading goes on after them. */
export interface Page {
  readonly records: readonly SentRecord[];
  /** Plain data, to be kept as JSON. */
  readonly position: unknown;
  /** Everything later than this instant was read, in epoch milliseconds. */
  readonly reachedMs: number;
  /** Whether nothing is left after it. */
  readonly isLast: boolean;
  /** Of this reading so far. */
  readonly pages: number;
  readonly tokens: number;
  readonly waitedMs: number;
}

/** How the records of a question are read. */
export interface ReadOptions {
  /** Where another reading has ended; undefined at the beginning. */
  readonly position: unknown;
  /** The most records that are still wanted. */
  readonly limit: number | undefined;
  readonly signal: AbortSignal;
}

/** The records of a question, newest first. */
export interface Reader {
  readonly dataset: Dataset;
  /**
   * Reads on, page by page. What was read before a failure or an abort is given before it is thrown.
   *
   * @throws {CountinghouseError} and what else the client throws.
   */
  readonly read: (options: ReadOptions) => AsyncGenerator<Page, void, undefined>;
  /** HTTP requests so far, repetitions included. */
  readonly calls: () => number;
}
