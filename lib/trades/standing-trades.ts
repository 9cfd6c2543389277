import { tradeOf } from "./page-buffer.ts";
import { DamagedSegment, readSegment } from "./read-segment.ts";
import { bucketOf, compareRecords, FIRST_REVISION, SEGMENT_SPAN_MS, stretchOf } from "./segment.ts";
import { placeAt } from "./segment-columns.ts";
import { type Place, placeText, type Trade } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";
import type { Span } from "./withdrawn-places.ts";

/** What a trade meets in its place, if that is not what its writer takes for granted. */
export interface Meeting {
  readonly trade: Place;
  /**
   * `another`: a trade of its revision that counts in its place, so that readers do not see this one. `replaced`: one that
   * this one counts before. `newer`: a record of a higher revision. `nothing`: no trade that it could correct or withdraw.
   */
  readonly meets: "another" | "replaced" | "newer" | "nothing";
  /** The other trade, where it is one of the same batch. */
  readonly other?: Place;
}

/** A record of a place, and its revision. */
interface Standing {
  readonly revision: number;
  readonly trade: Trade;
}

/** The records of places, by their texts. */
export type StandingTrades = ReadonlyMap<string, readonly Standing[]>;

/** Where the segments of a market are found that listings read. */
export interface StandingSource {
  /** Those that end in a span, as of every answered write; absent where nobody asks what trades meet. */
  standing?(symbol: string, span: Span): Promise<readonly StoredSegment[]>;
}

/** Trades further apart than this are read by two queries: what lies between costs more than a second one. */
const APART_MS_MAX = 10_000;
const QUERIES_AT_ONCE = 8;

/** The spans of the segments that have a trade of these, few and short ones. */
export function closeSpans(trades: readonly Place[]): readonly Span[] {
  const spans: { fromMs: number; toMs: number }[] = [];
  for (const { tradedAt } of trades.toSorted((a, b) => a.tradedAt - b.tradedAt)) {
    const open = spans.at(-1);
    const toMs = (stretchOf({ tradedAt }) + 1) * SEGMENT_SPAN_MS - 1;
    const isClose =
      open !== undefined &&
      tradedAt - open.toMs <= APART_MS_MAX &&
      bucketOf(open.fromMs) === bucketOf(tradedAt);
    if (isClose) open.toMs = Math.max(open.toMs, toMs);
    else spans.push({ fromMs: tradedAt, toMs });
  }
  return spans;
}

/** The stored records of the places of trades. A segment that cannot be read is left out. */
export async function readStanding(
  source: StandingSource,
  symbol: string,
  trades: readonly Place[],
): Promise<StandingTrades> {
  const wanted = new Set(trades.map(placeText));
  const found = new Map<string, Standing[]>();
  const spans = source.standing === undefined ? [] : [...closeSpans(trades)];
  const work = async (): Promise<void> => {
    for (let span = spans.pop(); span !== undefined; span = spans.pop())
      for (const segment of (await source.standing?.(symbol, span)) ?? []) take(segment, wanted, found);
  };
  await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, work));
  return found;
}

function take(segment: StoredSegment, wanted: ReadonlySet<string>, found: Map<string, Standing[]>): void {
  try {
    const columns = readSegment(segment);
    for (let row = 0; row < columns.count; row += 1) {
      const place = placeText(placeAt(columns, row));
      if (!wanted.has(place)) continue;
      const standing = { revision: columns.revision, trade: tradeOf({ columns, row }) };
      found.set(place, [...(found.get(place) ?? []), standing]);
    }
  } catch (error) {
    if (!(error instanceof DamagedSegment)) throw error;
  }
}

/** A record that differs in its publication alone is the same trade, told again. */
const isAnother = (one: Trade, other: Trade): boolean =>
  compareRecords({ ...one, publishedAt: 0 }, { ...other, publishedAt: 0 }) !== 0;

/** What the trades of a batch meet: each other, and the records that stand in their places. */
export function meetingsOf(
  trades: readonly Trade[],
  revision: number,
  standing: StandingTrades,
): readonly Meeting[] {
  return [...Map.groupBy(trades, placeText)].flatMap(([place, given]) => {
    const first = given.reduce((best, trade) => (compareRecords(trade, best) > 0 ? trade : best));
    const others = given.filter((trade) => isAnother(trade, first));
    const doubles = others.map((trade) => ({ trade, meets: "another" as const, other: first }));
    // A record of the batch itself may be stored by now.
    const stored = (standing.get(place) ?? []).filter(
      (one) => one.revision !== revision || given.every((trade) => isAnother(one.trade, trade)),
    );
    const meets = meetsOf(first, revision, stored, standing.get(place) ?? []);
    return meets === undefined ? doubles : [...doubles, { trade: first, meets }];
  });
}

function meetsOf(
  trade: Trade,
  revision: number,
  others: readonly Standing[],
  all: readonly Standing[],
): Meeting["meets"] | undefined {
  const isWithdrawal = trade.withdrawn === true;
  const newer = others.filter((other) => other.revision > revision);
  const newest = newer.toSorted((a, b) => b.revision - a.revision)[0];
  if (newest !== undefined && !(isWithdrawal && newest.trade.withdrawn === true)) return "newer";
  if (revision > FIRST_REVISION && all.every((one) => one.trade.withdrawn === true)) return "nothing";
  const same = isWithdrawal ? [] : others.filter((other) => other.revision === revision);
  if (same.some((other) => other.trade.withdrawn === true)) return "newer";
  if (same.some((other) => compareRecords(other.trade, trade) > 0)) return "another";
  return same.length > 0 ? "replaced" : undefined;
}
