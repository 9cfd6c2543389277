import type { TransactionState, TransactionType } from "./transaction-kinds.ts";

/** The transactions of a business to list, newest first. */
export interface TransactionQuery {
  readonly businessId: string;
  /** The first instant of creation, in 18 digits of microseconds. */
  readonly fromMicros?: string | undefined;
  /** The end of the instants of creation, which is not included. */
  readonly toMicros?: string | undefined;
  /** Continue after this position of an earlier page. */
  readonly position?: string | undefined;
  /** Only transactions with a leg on one of these accounts; at most 100. An empty list means any, here and below. */
  readonly accounts?: readonly string[] | undefined;
  readonly types?: readonly TransactionType[] | undefined;
  readonly states?: readonly TransactionState[] | undefined;
  /** Only transactions that were created under this request id. */
  readonly requestId?: string | undefined;
  /** At most this many, 1 or more. */
  readonly count: number;
}

/** A page of texts. Without `next`, nothing follows. With `next`, more may follow, even when the page is empty. */
export interface TransactionPage {
  readonly docs: readonly string[];
  /** The position to continue after. */
  readonly next?: string;
}

/** A transaction that a search found: its text, and where it stands in the listing. */
export interface Match {
  readonly doc: string;
  readonly position: string;
}

/** The result of one step of a search. */
export interface Found<Hit = Match> {
  readonly matches: readonly Hit[];
  /** The position where the search stopped; undefined at the end of its range. */
  readonly stoppedAt: string | undefined;
  readonly bytesRead: number;
}
