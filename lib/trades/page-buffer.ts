import { decimalText } from "./decimal.ts";
import { compareRecords } from "./segment.ts";
import { idAt, isWithdrawnAt, placeAt, type SegmentColumns, sideAt } from "./segment-columns.ts";
import { comparePlaces, type Place, type Trade } from "./trade.ts";

/** One trade of a page: a row of a segment's columns. */
export interface Row {
  readonly columns: SegmentColumns;
  readonly row: number;
}

/** Which trades a page may show: made within the range, before the position, and published by now. */
export interface Filter {
  readonly startMs: number;
  readonly endMs: number;
  /** The last trade that was given out already. */
  readonly before: Place | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Gathers the rows of the segments that a page reads, newest first. A record that is not published yet counts for
 * nothing, not even as a correction.
 */
export class PageBuffer {
  readonly #filter: Filter;
  readonly #segments: SegmentColumns[] = [];
  readonly #rows: Row[] = [];

  constructor(filter: Filter) {
    this.#filter = filter;
  }

  get segmentCount(): number {
    return this.#segments.length;
  }

  /** Rows that may be shown, settled or not, repetitions included. */
  get rowCount(): number {
    return this.#rows.length;
  }

  /** All trades in the segments, shown or not. */
  get tradeCount(): number {
    return this.#segments.reduce((sum, { count }) => sum + count, 0);
  }

  add(segments: readonly SegmentColumns[]): void {
    for (const columns of segments) {
      this.#segments.push(columns);
      for (let row = columns.count - 1; row >= 0; row -= 1) {
        if (this.#isShown(columns, row)) this.#rows.push({ columns, row });
      }
    }
    this.#rows.sort(compareRows);
  }

  /**
   * The first rows of the page, at most `rowsMax`, newest first and one for each place. Of several records of a place
   * the one with the highest revision counts; where that is withdrawn there is none.
   *
   * @param above only rows newer than this place: others may still be changed by segments that were not read yet.
   */
  settle(above: Place | undefined, rowsMax: number): Row[] {
    const settled: Row[] = [];
    let at = 0;
    while (at < this.#rows.length && settled.length < rowsMax) {
      const first = this.#rows[at];
      if (first === undefined || (above !== undefined && !isNewer(first, above))) break;
      let best = first;
      for (at += 1; isSamePlace(this.#rows[at], first); at += 1) best = better(best, this.#rows[at] ?? best);
      if (!isWithdrawnAt(best.columns, best.row)) settled.push(best);
    }
    return settled;
  }

  /** The last place of the newest segment that holds trades older than a place; segments come newest first. */
  resumption(position: Place): Place | undefined {
    const open = this.#segments.find((columns) => comparePlaces(placeAt(columns, 0), position) < 0);
    return open === undefined ? undefined : placeAt(open, open.count - 1);
  }

  #isShown(columns: SegmentColumns, row: number): boolean {
    const { startMs, endMs, before, now } = this.#filter;
    const tradedAt = columns.tradedAt[row] ?? Number.NaN;
    if (tradedAt < startMs || tradedAt > endMs || (columns.publishedAt[row] ?? 0) > now) return false;
    if (before === undefined || tradedAt < before.tradedAt) return true;
    return tradedAt === before.tradedAt && idAt(columns, row) < before.id;
  }
}

const instantOf = ({ columns, row }: Row): number => columns.tradedAt[row] ?? Number.NaN;

/** Newest first. */
function compareRows(a: Row, b: Row): number {
  const apart = instantOf(b) - instantOf(a);
  if (apart !== 0) return apart;
  const [idA, idB] = [idAt(a.columns, a.row), idAt(b.columns, b.row)];
  return idA < idB ? 1 : -Number(idA > idB);
}

const isNewer = ({ columns, row }: Row, place: Place): boolean =>
  comparePlaces(placeAt(columns, row), place) > 0;

const isSamePlace = (a: Row | undefined, b: Row): boolean => a !== undefined && compareRows(a, b) === 0;

function better(a: Row, b: Row): Row {
  const apart = a.columns.revision - b.columns.revision || compareRecords(tradeOf(a), tradeOf(b));
  return apart < 0 ? b : a;
}

/** A row as an object; for the few that are compared whole. */
export function tradeOf({ columns, row }: Row): Trade {
  const { prices, quantities } = columns;
  const side = sideAt(columns, row);
  return {
    ...placeAt(columns, row),
    publishedAt: columns.publishedAt[row] ?? Number.NaN,
    price: decimalText(prices.mantissas[row] ?? 0, prices.scales[row] ?? 0),
    quantity: decimalText(quantities.mantissas[row] ?? 0, quantities.scales[row] ?? 0),
    withdrawn: isWithdrawnAt(columns, row),
    ...(side === undefined ? {} : { side }),
  };
}
