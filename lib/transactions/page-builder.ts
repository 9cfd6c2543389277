import type { Match, TransactionPage } from "./transaction-page.ts";

/**
 * The most bytes of text on one page, as they count in a function's answer: the answer may have 6 MB of JSON, in which
 * the body is a string. A body that does not compress grows by a third as Base64, and fits as well.
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

  /** How many more texts the page takes. */
  get remaining(): number {
    return this.#count - this.#docs.length;
  }

  /** Adds the next text. False when the page was full without it: the text belongs to the next page. */
  add({ doc, position }: Match): boolean {
    const bytes = bytesInAnswer(doc);
    if (this.remaining === 0 || this.#bytes + bytes > PAGE_BYTES_MAX) return false;
    this.#docs.push(doc);
    this.#bytes += bytes;
    this.#last = position;
    return true;
  }

  /** The page, after a text that did not fit. */
  full(): TransactionPage {
    return { docs: this.#docs, next: this.#last };
  }

  /** The page, when no more was read: the whole range, or up to a position after which the next page continues. */
  end(stoppedAt: string | undefined): TransactionPage {
    return stoppedAt === undefined ? { docs: this.#docs } : { docs: this.#docs, next: stoppedAt };
  }
}
