import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SegmentTable } from "../../bench/support/segment-table.ts";
import { readCursor, writeCursor } from "../../lib/trades/cursor.ts";
import type { Window } from "../../lib/trades/date-range.ts";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import { readKey } from "../../lib/trades/segment-key.ts";
import { comparePlaces, type Trade } from "../../lib/trades/trade.ts";
import {
  type NextPage,
  type PageQuestion,
  READ_UNITS_MAX,
  RESUME_MS_MAX,
  readPage,
} from "../../lib/trades/trade-reader.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { cases } from "../support/cases.ts";
import { recordText, trade } from "../support/trades.ts";

const SYMBOL = "BTC-USD";
/** A boundary of two buckets lies in the middle of the trades. */
const NEWEST = BUCKET_MS * 649 + 120_000;
const NOW = NEWEST + 86_400_000;
/** A page of this table is cut short by some dozen segments. */
const RULES = { unitBytes: 12, queryBytesMax: 3_072 };
const BLOCKS_APART_MS = 2_500;
const UNITS_PER_BYTE = 0.5 / RULES.unitBytes;
/** The most units of a query, with one more segment of 250 trades. */
const QUERY_UNITS_MAX = (RULES.queryBytesMax + 6_000) * UNITS_PER_BYTE;
/** The number of markets. */
const RUNS = cases(24);

/** The fates of the trades of a stretch, by their records: the first reports, and the later ones. */
const fates = {
  kept: [{}],
  withdrawn: [{}, { withdrawn: true }],
  "withdrawn before it came": [undefined, { withdrawn: true }],
  corrected: [{}, { price: "1.00" }],
  "corrected, then withdrawn": [{}, { price: "2.00" }, { withdrawn: true }],
  "withdrawn, then reported again": [{}, { withdrawn: true }, { price: "3.00" }],
  "not published": [{ publishedAt: NOW + 1 }],
  "withdrawn, as will be published": [{}, { withdrawn: true, publishedAt: NOW + 1 }],
  "corrected, as will be published, of what is withdrawn": [
    {},
    { withdrawn: true },
    { price: "4.00", publishedAt: NOW + 1 },
  ],
} as const satisfies Readonly<Record<string, readonly (Partial<Trade> | undefined)[]>>;

/** How records are grouped into segments: in interleaved parts, with `first` records and then `size` at a time. */
interface Cut {
  readonly parts: number;
  readonly first: number;
  readonly size: number;
}

const cut: fc.Arbitrary<Cut> = fc.record({
  parts: fc.constantFrom(1, 1, 3),
  first: fc.integer({ min: 1, max: 8 }),
  size: fc.constantFrom(1, 5, 8, 1_000),
});

const WHOLE: Cut = { parts: 1, first: 1_000, size: 1_000 };

function* cutUp(records: readonly Trade[], { parts, first, size }: Cut): Generator<readonly Trade[]> {
  for (let each = 0; each < parts; each += 1) {
    const part = records.filter((_, n) => n % parts === each);
    yield part.slice(0, first);
    for (let at = first; at < part.length; at += size) yield part.slice(at, at + size);
  }
}

interface Block {
  readonly count: number;
  readonly stepMs: number;
  readonly fate: keyof typeof fates;
  /** One for each of the records in turn. */
  readonly cuts: readonly Cut[];
}

const block: fc.Arbitrary<Block> = fc.record({
  count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 50, max: 150 })),
  stepMs: fc.constantFrom(0, 1, 40, 700, 2_000, 9_000),
  fate: fc.oneof(
    { weight: 2, arbitrary: fc.constant("withdrawn" as const) },
    { weight: 3, arbitrary: fc.constantFrom(...(Object.keys(fates) as (keyof typeof fates)[])) },
  ),
  cuts: fc.array(cut, { minLength: 3, maxLength: 3 }),
});

/** The trades of a block, newest first; where they have instants of their own, some of the first and last ids there are. */
function tradesOf({ count, stepMs }: Block, newestMs: number, first: number): Trade[] {
  return Array.from({ length: count }, (_, n) => {
    const made = trade(first + n, newestMs - n * stepMs);
    if (stepMs === 0 || n % 7 > 1) return made;
    return { ...made, id: (n % 7 === 0 ? "f" : "0").repeat(32) };
  });
}

/** Stores all blocks, one below the other, and returns what readers see of them. */
async function fill(table: SegmentTable, blocks: readonly Block[]): Promise<Trade[]> {
  const shown: Trade[] = [];
  let newestMs = NEWEST;
  for (const [at, each] of blocks.entries()) {
    const trades = tradesOf(each, newestMs, at * 1_000);
    for (const [revision, changes] of fates[each.fate].entries()) {
      if (changes === undefined) continue;
      const records = trades.map((record): Trade => ({ ...record, ...changes }));
      for (const part of cutUp(records, each.cuts[revision] ?? WHOLE))
        await putTrades(table, SYMBOL, part, revision);
    }
    const last = fates[each.fate].findLast((changes) => changes !== undefined && !("publishedAt" in changes));
    if (last !== undefined && !("withdrawn" in last))
      shown.push(...trades.map((record) => ({ ...record, ...last })));
    newestMs -= each.count * each.stepMs + BLOCKS_APART_MS;
  }
  return shown.sort((a, b) => comparePlaces(b, a));
}

/** The most read units that all segments have which end within four seconds: what lies over each other, and its surroundings. */
function crowdUnits(segments: readonly StoredSegment[]): number {
  const ends = segments
    .map(({ sort, payload }) => ({ atMs: readKey(sort).last.tradedAt, bytes: payload.length + 50 }))
    .sort((a, b) => a.atMs - b.atMs);
  let [most, bytes, from] = [0, 0, 0];
  for (const end of ends) {
    bytes += end.bytes;
    for (; (ends[from]?.atMs ?? 0) < end.atMs - 4_000; from += 1) bytes -= ends[from]?.bytes ?? 0;
    most = Math.max(most, bytes);
  }
  return most * UNITS_PER_BYTE;
}

interface End {
  readonly part: number;
  readonly besideMs: number;
}

/** A range whose ends are ends of segments or a moment beside: in many cases of all, else often in the middle of a stretch. */
const end: fc.Arbitrary<End> = fc.record({
  part: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  besideMs: fc.integer({ min: -1, max: 1 }),
});

function windowOf(segments: readonly StoredSegment[], ends: readonly End[]): Window {
  const instants = segments.map(({ sort }) => readKey(sort).last.tradedAt).sort((a, b) => a - b);
  const [startMs = NEWEST, endMs = NEWEST] = ends
    .map(({ part, besideMs }) => (instants[Math.round(part * (instants.length - 1))] ?? NEWEST) + besideMs)
    .sort((a, b) => a - b);
  return { startMs, endMs };
}

const isDone = (before: NextPage | undefined, next: NextPage, isSlow: boolean): boolean => {
  if (before === undefined) return true;
  // An old listing does not begin where its cursor says, so only its position tells that it goes on.
  if (isSlow) return comparePlaces(next.position, before.position) < 0;
  const apart = [
    comparePlaces(next.position, before.position),
    comparePlaces(next.resumeAt, before.resumeAt),
  ];
  return apart.every((each) => each <= 0) && apart.some((each) => each < 0);
};

const counts = { pages: 0, short: 0, empty: 0 };

/**
 * Lists as a client does. Each page costs at most its bound, is short only at that bound, and continues below the last.
 */
async function walk(
  table: SegmentTable,
  question: Omit<PageQuestion, "now">,
  unitsMax: number,
  pageMs: number,
): Promise<string[]> {
  const shown: string[] = [];
  let from: NextPage | undefined;
  let now = NOW;
  do {
    table.resetCounts();
    const { rows, next } = await readPage(table, { ...question, from, now });
    shown.push(...rows.map(tradeOf).map(recordText));
    expect(table.readUnits).toBeLessThanOrEqual(unitsMax);
    counts.pages += 1;
    if (next !== undefined) {
      const isShort = rows.length < question.limit;
      if (isShort) expect(table.readUnits).toBeGreaterThanOrEqual(READ_UNITS_MAX);
      expect(isDone(from, next, pageMs > 0)).toBe(true);
      counts.short += Number(isShort);
      counts.empty += Number(rows.length === 0);
    }
    const { symbol, window } = question;
    from = next && readCursor(symbol, writeCursor(symbol, { window, ...next }), now);
    now += pageMs;
  } while (from !== undefined);
  return shown;
}

const limits = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 300 }), fc.constant(1_900));

test("whatever was withdrawn, and however it is stored: pages of a bounded cost reach everything that is left, and end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(block, { minLength: 5, maxLength: 12 }),
      fc.tuple(end, end),
      limits,
      fc.constantFrom(0, 0, RESUME_MS_MAX + 1),
      async (blocks, ends, limit, pageMs) => {
        const table = new SegmentTable(RULES);
        const all = await fill(table, blocks);
        const window = windowOf(table.segments, ends);
        // An old listing may read a crowd once more, to its top.
        const crowds = pageMs === 0 ? 1 : 2;
        const unitsMax = READ_UNITS_MAX + QUERY_UNITS_MAX + crowds * crowdUnits(table.segments);
        expect(await walk(table, { symbol: SYMBOL, window, limit }, unitsMax, pageMs)).toEqual(
          all
            .filter(({ tradedAt }) => window.startMs <= tradedAt && tradedAt <= window.endMs)
            .map(recordText),
        );
      },
    ),
    { numRuns: RUNS },
  );
  expect(counts.empty).toBeGreaterThan(RUNS / 10);
});
