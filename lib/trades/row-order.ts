import { idAt, type Row } from "./segment-columns.ts";
import type { Place } from "./trade.ts";

/** When the trade in a row was made, epoch milliseconds. */
export const instantOf = ({ columns, row }: Row): number => columns.tradedAt[row] ?? Number.NaN;

/** As `comparePlaces`, for a row's place. Most rows differ in their instants, so no id is cut out for them. */
export function compareToPlace(one: Row, { tradedAt, id }: Place): number {
  const apart = instantOf(one) - tradedAt;
  return apart !== 0 ? apart : compareIds(idAt(one.columns, one.row), id);
}

/** The order of rows in a page: newest first. */
export function compareRows(a: Row, b: Row): number {
  const apart = instantOf(b) - instantOf(a);
  return apart !== 0 ? apart : compareIds(idAt(b.columns, b.row), idAt(a.columns, a.row));
}

const compareIds = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export const isSamePlace = (a: Row | undefined, b: Row): boolean =>
  a !== undefined && compareRows(a, b) === 0;
