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

/**
 * Most bytes of text on one page, as they are counted of a function's answer, which may have 6 MB of JSON: its body is a
 * string in there. What does not compress grows by a third as Base64, and fits as well.
 */
export const PAGE_BYTES_MAX = 4_000_000;

/** Bytes of a text within a JSON string: UTF-8 as it is, and each quote and backslash twice. */
const bytesInAnswer = (text: string): number => Buffer.byteLength(text) + (text.match(/["\\]/g)?.length ?? 0);

/** Fills one page, of at most `count` texts and 4 MB. */
export class PageBuilder {
  readonly #count: number;
  readonly #docs: string[] = [];
  #bytes = 0;
  #last = "";

  constructor(count: number) {
    this.#count = count;
  }

  /** How many texts still go on the page. */
  get remaining(): number {
    return this.#count - this.#docs.length;
  }

  /** Adds the next text. False when the page was full without it: it belongs to the next page. */
  add({ doc, position }: Match): boolean {
    const bytes = bytesInAnswer(doc);
    if (this.remaining === 0 || this.#bytes + bytes > PAGE_BYTES_MAX) return false;
    this.#docs.push(doc);
    this.#bytes += bytes;
    this.#last = position;
    return true;
  }

  /** The page, when a text was found that no longer goes on it. */
  full(): TransactionPage {
    return { docs: this.#docs, next: this.#last };
  }

  /** The page, when no more was read: all of the range, or up to a position that the next page continues after. */
  end(stoppedAt: string | undefined): TransactionPage {
    return stoppedAt === undefined ? { docs: this.#docs } : { docs: this.#docs, next: stoppedAt };
  }
}
