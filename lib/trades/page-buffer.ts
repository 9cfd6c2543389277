import { decimalText } from "./decimal.ts";
import { olderOf, placeBefore } from "./places.ts";
import { compareRows, compareToPlace, instantOf, isSamePlace } from "./row-order.ts";
import { compareRecords } from "./segment.ts";
import { isWithdrawnAt, placeAt, type Row, type SegmentColumns, sideAt } from "./segment-columns.ts";
import type { Place, Trade } from "./trade.ts";

/** The trades that a page may show, and how many it wants. */
export interface Filter {
  /** No trade that was made earlier; epoch milliseconds. */
  readonly startMs: number;
  /** No trade that is newer than this place. */
  readonly upTo: Place;
  /** No trade that was published later; epoch milliseconds. */
  readonly asOf: number;
  readonly wanted: number;
}

/**
 * Gathers the rows of the segments that a page reads, newest first. A record that is not published yet counts for
 * nothing, not even as a correction. The buffer keeps only the trades to be shown, and rows that may still change.
 */
export class PageBuffer {
  readonly #filter: Filter;
  readonly #finalRows: Row[] = [];
  /** Rows that are not final, newest first, repetitions included. */
  #rows: Row[] = [];
  /** Segments, from the newest on, that may hold a row that is not final. */
  #open: SegmentColumns[] = [];
  /** Everything newer than this place is final. */
  #openFrom: Place;
  readonly #added = { segments: 0, rows: 0, trades: 0 };

  constructor(filter: Filter) {
    this.#filter = filter;
    this.#openFrom = filter.upTo;
  }

  /** The final trades, newest first, one for each place, and no more than are wanted. */
  get finalRows(): readonly Row[] {
    return this.#finalRows;
  }

  get isFull(): boolean {
    return this.#finalRows.length === this.#filter.wanted;
  }

  /** The number of segments added, of their rows that may be shown, repetitions included, and of all trades in them. */
  get added(): { readonly segments: number; readonly rows: number; readonly trades: number } {
    return this.#added;
  }

  /** Whether a page that continues from here reads no more segments again than it leaves behind. */
  get isHalfPassed(): boolean {
    return 2 * this.#open.length <= this.#added.segments;
  }

  add(segments: readonly SegmentColumns[]): void {
    const before = this.#rows.length;
    for (const columns of segments) {
      this.#open.push(columns);
      this.#added.trades += columns.count;
      for (let row = columns.count - 1; row >= 0; row -= 1) {
        const one = { columns, row };
        if (this.#isShown(one)) this.#rows.push(one);
      }
    }
    this.#added.segments += segments.length;
    this.#added.rows += this.#rows.length - before;
    this.#rows.sort(compareRows);
  }

  /**
   * Makes rows final until there are as many as are wanted. Of several records of a place, the one with the highest
   * revision counts; if it is withdrawn, the place shows nothing.
   *
   * @param floor only rows newer than this place: segments that were not read yet may still change the rest.
   */
  finalize(floor: Place | undefined): void {
    const rows = this.#rows;
    let at = 0;
    while (at < rows.length && !this.isFull) {
      const first = rows[at];
      if (first === undefined || (floor !== undefined && compareToPlace(first, floor) <= 0)) break;
      let best = first;
      for (at += 1; isSamePlace(rows[at], first); at += 1) best = betterRow(best, rows[at] ?? best);
      if (!isWithdrawnAt(best.columns, best.row)) this.#finalRows.push(best);
    }
    this.#rows = rows.slice(at);
    if (floor !== undefined && !this.isFull) this.#letGo(floor);
  }

  /** Drops the segments that cannot matter any more, once everything above a place was judged. */
  #letGo(floor: Place): void {
    this.#openFrom = olderOf(floor, this.#openFrom);
    const first = this.#open.findIndex((columns) => beginsBy(columns, this.#openFrom));
    this.#open = first === -1 ? [] : this.#open.slice(first);
  }

  /** The place at which the next page begins, after a page of these rows: the first of the final ones. */
  positionAfter(rows: readonly Row[]): Place {
    const last = rows.at(-1);
    return last === undefined
      ? this.#openFrom
      : olderOf(this.#openFrom, placeBefore(placeAt(last.columns, last.row)));
  }

  /** The last place of the newest segment that is still held and has a trade at this place or before it. */
  resumption(position: Place): Place | undefined {
    const open = this.#open.find((columns) => beginsBy(columns, position));
    return open === undefined ? undefined : placeAt(open, open.count - 1);
  }

  #isShown(one: Row): boolean {
    const { startMs, upTo, asOf } = this.#filter;
    const isPublished = (one.columns.publishedAt[one.row] ?? 0) <= asOf;
    return isPublished && instantOf(one) >= startMs && compareToPlace(one, upTo) <= 0;
  }
}

/** Whether a segment has a trade at a place or before it. */
const beginsBy = (columns: SegmentColumns, place: Place): boolean =>
  compareToPlace({ columns, row: 0 }, place) <= 0;

/** Of two records of one place, the one that counts: that of the higher revision. */
export function betterRow(a: Row, b: Row): Row {
  const apart = a.columns.revision - b.columns.revision || compareRecords(tradeOf(a), tradeOf(b));
  return apart < 0 ? b : a;
}

/** A row as an object, for the few rows that are compared whole. */
export function tradeOf({ columns, row }: Row): Trade {
  const { prices, quantities } = columns;
  const side = sideAt(columns, row);
  return {
    ...placeAt(columns, row),
    publishedAt: columns.publishedAt[row] ?? Number.NaN,
    price: decimalText(prices.mantissas[row] ?? 0, prices.scales[row] ?? 0),
    quantity: decimalText(quantities.mantissas[row] ?? 0, quantities.scales[row] ?? 0),
    withdrawn: isWithdrawnAt(columns, row),
    ...(side !== undefined && { side }),
  };
}
