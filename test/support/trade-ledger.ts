import { expect } from "vitest";
import type { Window } from "../../lib/trades/date-range.ts";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import { comparePlaces, type Trade } from "../../lib/trades/trade.ts";
import { type PageQuestion, readPage, type SegmentSource } from "../../lib/trades/trade-reader.ts";
import { placeText, recordText } from "./trades.ts";

/** The true state of a market, kept in the simplest way: a map with the record that counts at each place. */
export class TradeLedger {
  readonly #current = new Map<string, { readonly record: Trade; readonly revision: number }>();
  readonly #announced = new Map<string, Set<string>>();
  readonly #withdrawn = new Set<string>();

  /** Notes a record that is about to be written: from now on readers may see it. */
  announce(record: Trade): void {
    const place = placeText(record);
    const texts = this.#announced.get(place) ?? new Set();
    this.#announced.set(place, texts.add(recordText(record)));
    if (record.withdrawn === true) this.#withdrawn.add(place);
  }

  /** Notes a record that has been written: from now on readers must see it. */
  confirm(record: Trade, revision: number): void {
    const place = placeText(record);
    const before = this.#current.get(place);
    if (before === undefined || before.revision <= revision) this.#current.set(place, { record, revision });
  }

  revisionOf = (record: Trade): number => this.#current.get(placeText(record))?.revision ?? 0;
  couldBe = (record: Trade): boolean =>
    this.#announced.get(placeText(record))?.has(recordText(record)) === true;
  mayBeGone = (record: Trade): boolean => this.#withdrawn.has(placeText(record));

  /** The records of a window that readers see, newest first. */
  shown({ startMs, endMs }: Window): Trade[] {
    return [...this.#current.values()]
      .map(({ record }) => record)
      .filter(({ withdrawn }) => withdrawn !== true)
      .filter(({ tradedAt }) => tradedAt >= startMs && tradedAt <= endMs)
      .sort((a, b) => comparePlaces(b, a));
  }
}

/**
 * A client that walks listings page by page, and judges each listing when it ends: every trade that was stored when it
 * began came once, in order, and no trade came that was never written.
 */
export class ListingClient {
  readonly #source: SegmentSource;
  readonly #ledger: TradeLedger;
  readonly #question: PageQuestion;
  #from: PageQuestion["from"];
  #expected: readonly Trade[] | undefined;
  #seen: Trade[] = [];
  pages = 0;

  constructor(source: SegmentSource, ledger: TradeLedger, question: PageQuestion) {
    this.#source = source;
    this.#ledger = ledger;
    this.#question = question;
  }

  /** Fetches one page; the first of a listing when there is none under way. */
  async step(): Promise<void> {
    this.#expected ??= this.#ledger.shown(this.#question.window);
    const page = await readPage(this.#source, { ...this.#question, from: this.#from });
    if (page.next !== undefined) expect(page.rows.length).toBe(this.#question.limit);
    this.#seen.push(...page.rows.map(tradeOf));
    this.#from = page.next;
    this.pages += 1;
    if (page.next === undefined) this.#judge(this.#expected);
  }

  /** Fetches the pages that are left of a listing that is under way. */
  async finish(): Promise<void> {
    while (this.#expected !== undefined) await this.step();
  }

  #judge(expected: readonly Trade[]): void {
    const disordered = this.#seen.filter((record, at) => {
      const before = this.#seen[at - 1];
      return before !== undefined && comparePlaces(before, record) <= 0;
    });
    expect(disordered, "out of order, or twice").toEqual([]);
    expect(
      this.#seen.filter((record) => !this.#ledger.couldBe(record)),
      "never written",
    ).toEqual([]);
    const places = new Set(this.#seen.map(placeText));
    const lost = expected.filter(
      (record) => !places.has(placeText(record)) && !this.#ledger.mayBeGone(record),
    );
    expect(lost, "lost").toEqual([]);
    this.#expected = undefined;
    this.#seen = [];
  }
}
