import { expect, test } from "vitest";
import { randomOf } from "../../bench/support/random-of.ts";
import { SegmentTable } from "../../bench/support/segment-table.ts";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import { putTrades, type SegmentSink } from "../../lib/trades/put-trades.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import { comparePlaces, type Trade } from "../../lib/trades/trade.ts";
import { type NextPage, readPage, type SegmentSource } from "../../lib/trades/trade-reader.ts";
import type { SegmentPage, SegmentQuestion, StoredSegment } from "../../lib/trades/trade-store.ts";
import { cases } from "../support/cases.ts";
import { placeText, recordText, trade } from "../support/trades.ts";

/** Listings of a market that is written to, from a store that lags. */
const LISTINGS = cases(50);
const LISTINGS_OF_MARKET = 25;
const RUN_MS = 3_600_000;
const SYMBOL = "BTC-USD";
const DAY_MS = 86_400_000;
/** How long a write may be missing from reads without strong consistency. */
const LAG_MAX_MS = 30_000;
const LISTINGS_AT_ONCE = 3;

/**
 * A store whose strongly consistent reads show every write at once. Each write appears in other reads after its own
 * lag.
 */
class LaggingTable implements SegmentSource, SegmentSink {
  readonly #whole = new SegmentTable();
  readonly #copy = new SegmentTable();
  readonly #underWay: { readonly segment: StoredSegment; readonly atMs: number }[] = [];
  /** When the last write is in every read. */
  visibleAtMs = 0;
  lagMs = 0;
  now = 0;
  beforeQuery: () => Promise<void> = async () => {};

  async put(segments: readonly StoredSegment[]): Promise<void> {
    await this.#whole.put(segments);
    this.visibleAtMs = this.now + this.lagMs;
    for (const segment of segments) this.#underWay.push({ segment, atMs: this.visibleAtMs });
  }

  async withdrawals(): Promise<StoredSegment[]> {
    return [];
  }

  async page(question: SegmentQuestion): Promise<SegmentPage> {
    await this.beforeQuery();
    const arrived = this.#underWay.filter(({ atMs }) => atMs <= this.now);
    for (const one of arrived) this.#underWay.splice(this.#underWay.indexOf(one), 1);
    await this.#copy.put(arrived.map(({ segment }) => segment));
    const page = await (question.isConsistent ? this.#whole : this.#copy).page(question);
    this.#whole.resetCounts();
    this.#copy.resetCounts();
    return page;
  }
}

interface Written {
  readonly record: Trade;
  readonly visibleAtMs: number;
}

interface Listing {
  readonly question: { readonly symbol: string; readonly window: { startMs: number; endMs: number } };
  readonly limit: number;
  readonly due: readonly Trade[];
  readonly seen: Trade[];
  from: NextPage | undefined;
}

/** A market: trades that come as they are made, some of them late; and callers that list it meanwhile. */
class Market {
  readonly #random: () => number;
  readonly #table = new LaggingTable();
  readonly #written: Written[] = [];
  readonly #texts = new Set<string>();
  readonly #perSecond: number;
  readonly faults: string[] = [];
  trades = 0;
  pages = 0;
  due = 0;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    const random = this.#random;
    this.#perSecond = 0.1 * 50 ** random();
    // Half of the markets are at the border of two buckets.
    const border = 600 * BUCKET_MS;
    this.#table.now = border + (random() < 0.5 ? -Math.floor(60_000 * random()) : DAY_MS);
    this.#table.beforeQuery = () => this.#pass(2_000 * random() ** 4);
  }

  async list(listings: number): Promise<void> {
    await this.#pass(40_000);
    let begun = 0;
    const open: Listing[] = [];
    while (begun < listings || open.length > 0) {
      const isNew = begun < listings && open.length < LISTINGS_AT_ONCE;
      if (isNew) open.push(this.#begin());
      if (isNew) begun += 1;
      const at = isNew ? open.length - 1 : Math.floor(this.#random() * open.length);
      const listing = open[at];
      if (listing !== undefined && (await this.#step(listing))) open.splice(at, 1);
      await this.#pass((this.#random() < 0.05 ? 30_000 : 500) * this.#random());
    }
  }

  /** Lets time pass, in which trades are made and stored. */
  async #pass(ms: number): Promise<void> {
    const random = this.#random;
    const until = this.#table.now + Math.floor(ms);
    for (;;) {
      const waitMs = Math.ceil((-Math.log(1 - random()) * 1_000) / this.#perSecond);
      if (this.#table.now + waitMs > until) break;
      this.#table.now += waitMs;
      await this.#store();
    }
    this.#table.now = until;
  }

  async #store(): Promise<void> {
    const random = this.#random;
    const count = random() < 0.7 ? 1 : Math.ceil(random() * 12);
    const lateMs = random() < 0.8 ? random() * 300 : random() * 45_000;
    const newestMs = Math.floor(this.#table.now - lateMs);
    const records = Array.from({ length: count }, () => {
      this.trades += 1;
      return trade(this.trades, newestMs - Math.floor(random() * 900));
    });
    this.#table.lagMs = Math.floor(random() < 0.5 ? random() * 1_000 : random() * LAG_MAX_MS);
    await putTrades(this.#table, SYMBOL, records);
    for (const record of records) {
      this.#written.push({ record, visibleAtMs: this.#table.visibleAtMs });
      this.#texts.add(recordText(record));
    }
  }

  /** The trades that must come: those of the 30 seconds before, and all others that are in every copy of the store. */
  #begin(): Listing {
    const { now } = this.#table;
    const window = { startMs: now - 10_000 - Math.floor(110_000 * this.#random()), endMs: now };
    const due = this.#written
      .filter(({ record, visibleAtMs }) => record.tradedAt >= now - 30_000 || visibleAtMs <= now)
      .map(({ record }) => record)
      .filter(({ tradedAt }) => tradedAt >= window.startMs);
    const limit = Math.ceil(300 ** (0.2 + 0.8 * this.#random()));
    return { question: { symbol: SYMBOL, window }, limit, due, seen: [], from: undefined };
  }

  /** Reads one page. @returns whether it was the last. */
  async #step(listing: Listing): Promise<boolean> {
    const { question, limit, from } = listing;
    const page = await readPage(this.#table, { ...question, limit, from, now: this.#table.now });
    this.pages += 1;
    listing.seen.push(...page.rows.map(tradeOf));
    listing.from = page.next;
    if (page.next === undefined) this.#judge(listing);
    return page.next === undefined;
  }

  #judge({ due, seen }: Listing): void {
    const places = new Set(seen.map(placeText));
    this.due += due.length;
    for (const record of due)
      if (!places.has(placeText(record))) this.faults.push(`lost ${recordText(record)}`);
    for (const [at, record] of seen.entries()) {
      const before = seen[at - 1];
      if (before !== undefined && comparePlaces(before, record) <= 0)
        this.faults.push(`twice or out of order ${recordText(record)}`);
      if (!this.#texts.has(recordText(record))) this.faults.push(`never written ${recordText(record)}`);
    }
  }
}

test(
  "every trade that was readable when a listing began comes exactly once, while others are stored and the store lags",
  async () => {
    const sums = { listings: 0, pages: 0, trades: 0, due: 0 };
    const faults: string[] = [];
    for (let seed = 1; sums.listings < LISTINGS; seed += 1) {
      const market = new Market(seed);
      const listings = Math.min(LISTINGS_OF_MARKET, LISTINGS - sums.listings);
      await market.list(listings);
      sums.listings += listings;
      sums.pages += market.pages;
      sums.trades += market.trades;
      sums.due += market.due;
      faults.push(...market.faults.map((fault) => `market ${seed}: ${fault}`));
    }
    expect(faults.slice(0, 10)).toEqual([]);
    expect(sums.pages).toBeGreaterThan(2 * LISTINGS);
  },
  RUN_MS,
);
