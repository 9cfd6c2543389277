import type { TransactionState, TransactionType } from "./transaction-kinds.ts";

/** Which of a business's transactions to list, newest first. */
export interface TransactionQuery {
  readonly businessId: string;
  /** Creation instants in 18 digits of microseconds: from this one on. */
  readonly fromMicros?: string | undefined;
  /** And before this one. */
  readonly toMicros?: string | undefined;
  /** Continue after this position of an earlier page. */
  readonly position?: string | undefined;
  /** With a leg on any of these accounts; at most 100. An empty list means any, here and below. */
  readonly accounts?: readonly string[] | undefined;
  readonly types?: readonly TransactionType[] | undefined;
  readonly states?: readonly TransactionState[] | undefined;
  /** Created under this request id. */
  readonly requestId?: string | undefined;
  /** At most this many, 1 or more. */
  readonly count: number;
}

/** A page of texts. Without `next` there is nothing more; with it there may be, and the page may even be empty. */
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

/** What one step of a search came to. */
export interface Found<Hit = Match> {
  readonly matches: readonly Hit[];
  /** Where the search stopped short of the end of its range. */
  readonly stoppedAt: string | undefined;
  readonly bytesRead: number;
}
