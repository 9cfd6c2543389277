import type { Place } from "./trade.ts";
import { type Side, tradeSides } from "./trade-kinds.ts";

/** A segment as it is read: one column for each member of its trades, in ascending order, and no object per trade. */
export interface SegmentColumns {
  readonly revision: number;
  readonly count: number;
  /** Epoch milliseconds. */
  readonly tradedAt: Float64Array;
  /** Epoch milliseconds. */
  readonly publishedAt: Float64Array;
  readonly prices: DecimalColumn;
  readonly quantities: DecimalColumn;
  /** See {@link sideAt} and {@link isWithdrawnAt}. */
  readonly flags: Uint8Array;
  /** All ids in a row, 32 hex digits each. */
  readonly ids: string;
}

/** One trade of a segment: a row of its columns. */
export interface Row {
  readonly columns: SegmentColumns;
  readonly row: number;
}

/** Numbers as they were written; see `Decimal`. */
export interface DecimalColumn {
  readonly mantissas: readonly (number | bigint)[];
  readonly scales: Uint8Array;
}

/** Hex digits of an id. */
export const ID_DIGITS = 32;

/** A stored segment encodes a side by its index in this list. */
const SIDES = [undefined, ...tradeSides] as const;
const SIDE_BITS = 0b011;
const WITHDRAWN_BIT = 0b100;

export const flagsOf = (side: Side | undefined, withdrawn: boolean): number =>
  SIDES.indexOf(side) | (withdrawn ? WITHDRAWN_BIT : 0);

export const areFlags = (flags: number): boolean =>
  flags <= (SIDE_BITS | WITHDRAWN_BIT) && (flags & SIDE_BITS) < SIDES.length;

/** The id of the trade in a row. */
export const idAt = ({ ids }: SegmentColumns, row: number): string =>
  ids.slice(row * ID_DIGITS, (row + 1) * ID_DIGITS);

export const sideAt = ({ flags }: SegmentColumns, row: number): Side | undefined =>
  SIDES[(flags[row] ?? 0) & SIDE_BITS];

export const isWithdrawnAt = ({ flags }: SegmentColumns, row: number): boolean =>
  ((flags[row] ?? 0) & WITHDRAWN_BIT) !== 0;

export const placeAt = (columns: SegmentColumns, row: number): Place => ({
  tradedAt: columns.tradedAt[row] ?? Number.NaN,
  id: idAt(columns, row),
});
