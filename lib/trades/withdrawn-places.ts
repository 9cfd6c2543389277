import { LoggableError } from "../errors.ts";
import { DamagedSegment, readSegment, stretchOfSegment } from "./read-segment.ts";
import { bucketOf, SEGMENT_SPAN_MS, stretchOf } from "./segment.ts";
import { isWithdrawnAt, placeAt, type SegmentColumns } from "./segment-columns.ts";
import { type Place, placeText } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";

/** A stretch of time within one bucket, in epoch milliseconds, both ends included. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where the withdrawals are that stand apart from the trades of their market. */
export interface WithdrawalSource {
  /** Those that end in a span, as of every answered write. */
  withdrawals(symbol: string, span: Span): Promise<readonly StoredSegment[]>;
}

/** What lies between trades that are further apart than this is not read. */
const GAP_MS = 60_000;
/** The most spans of a batch, each of which takes a query: as many as a batch of messages has stretches. */
const SPANS_MAX = 250;
const QUERIES_AT_ONCE = 8;

/** Withdrawals that may be of a batch's trades cannot be read, so that nobody knows which of them stand. */
export class DamagedWithdrawals extends LoggableError {
  override readonly name = "DamagedWithdrawals";
  readonly segments: readonly DamagedSegment[];

  constructor(segments: readonly DamagedSegment[]) {
    super("Segments of withdrawals are damaged.", { cause: segments[0] });
    this.segments = segments;
  }

  /** Whether a trade may be withdrawn by one of the segments. */
  concerns(trade: Place): boolean {
    return this.segments.some(({ segment }) => stretchOfSegment(segment) === stretchOf(trade));
  }
}

/**
 * The highest revision that withdraws each of these trades, by its place, from the withdrawals that stand apart. Of many
 * that lie between the trades, those are unpacked that may be of one of them.
 *
 * @throws {DamagedWithdrawals} that names all of them that are damaged.
 */
export async function withdrawnPlaces(
  source: WithdrawalSource,
  symbol: string,
  trades: readonly Place[],
): Promise<ReadonlyMap<string, number>> {
  const withdrawn = new WithdrawnPlaces(trades);
  const spans = spansOf(trades);
  for (let at = 0; at < spans.length; at += QUERIES_AT_ONCE) {
    const some = spans.slice(at, at + QUERIES_AT_ONCE);
    const found = await Promise.all(some.map((span) => source.withdrawals(symbol, span)));
    for (const segment of found.flat()) withdrawn.add(segment);
  }
  if (withdrawn.damaged.length > 0) throw new DamagedWithdrawals(withdrawn.damaged);
  return withdrawn.highest;
}

class WithdrawnPlaces {
  readonly highest = new Map<string, number>();
  readonly damaged: DamagedSegment[] = [];
  readonly #places: ReadonlySet<string>;
  readonly #stretches: ReadonlySet<number>;

  constructor(trades: readonly Place[]) {
    this.#places = new Set(trades.map(placeText));
    this.#stretches = new Set(trades.map(stretchOf));
  }

  add(segment: StoredSegment): void {
    if (!this.#stretches.has(stretchOfSegment(segment))) return;
    try {
      this.#addRows(readSegment(segment));
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      this.damaged.push(error);
    }
  }

  #addRows(columns: SegmentColumns): void {
    for (let row = 0; row < columns.count; row += 1) {
      const place = placeText(placeAt(columns, row));
      if (isWithdrawnAt(columns, row) && this.#places.has(place))
        this.highest.set(place, Math.max(this.highest.get(place) ?? -1, columns.revision));
    }
  }
}

/** The spans of the segments that may withdraw trades, none across two buckets or one of the widest gaps. */
function spansOf(trades: readonly Place[]): readonly Span[] {
  const times = trades.map(({ tradedAt }) => tradedAt).toSorted((a, b) => a - b);
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  const widest = gaps.toSorted((a, b) => b - a)[SPANS_MAX - 1] ?? 0;
  const gapMs = Math.max(GAP_MS, widest);
  const spans: { readonly fromMs: number; toMs: number }[] = [];
  for (const [at, time] of times.entries()) {
    const open = spans.at(-1);
    const toMs = (stretchOf({ tradedAt: time }) + 1) * SEGMENT_SPAN_MS - 1;
    const isFar = (gaps[at - 1] ?? 0) > gapMs;
    if (open === undefined || isFar || bucketOf(open.fromMs) !== bucketOf(time))
      spans.push({ fromMs: time, toMs });
    else open.toMs = toMs;
  }
  return spans;
}
