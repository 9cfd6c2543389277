import { betterRow } from "../../lib/trades/page-buffer.ts";
import { compareToPlace } from "../../lib/trades/row-order.ts";
import { isWithdrawnAt, placeAt, type Row, type SegmentColumns } from "../../lib/trades/segment-columns.ts";
import { type Place, placeText } from "../../lib/trades/trade.ts";

/**
 * Counts the trades of a market that readers see, from its segments, which come newest first. A trade that stands in
 * several segments counts once, a withdrawn one not at all. It keeps only the trades that a later segment may still have.
 */
export class TradeCount {
  readonly #asOf: number;
  readonly #open = new Map<string, Row>();
  #records = 0;
  #newest: number | undefined;

  /** @param asOf trades that are published later (epoch ms) are not seen yet. */
  constructor(asOf: number) {
    this.#asOf = asOf;
  }

  get records(): number {
    return this.#records;
  }

  /** When the newest trade was made, epoch milliseconds; undefined without any. */
  get newest(): number | undefined {
    return this.#newest;
  }

  add(columns: SegmentColumns): void {
    for (let row = 0; row < columns.count; row += 1) {
      if ((columns.publishedAt[row] ?? 0) > this.#asOf) continue;
      const one = { columns, row };
      const place = placeText(placeAt(columns, row));
      const other = this.#open.get(place);
      this.#open.set(place, other === undefined ? one : betterRow(other, one));
    }
  }

  /** Counts what is newer than a place, which no further segment can change; everything without one. */
  settle(floor: Place | undefined): void {
    for (const [place, one] of this.#open) {
      if (floor !== undefined && compareToPlace(one, floor) <= 0) continue;
      this.#open.delete(place);
      if (isWithdrawnAt(one.columns, one.row)) continue;
      this.#records += 1;
      this.#newest = Math.max(this.#newest ?? 0, one.columns.tradedAt[one.row] ?? 0);
    }
  }
}
