import type { Side } from "./trade-kinds.ts";

/** One trade of a market, without the constants that all of the market's trades share. */
export interface Trade {
  /** When it was made, epoch milliseconds (`tdt`). */
  readonly tradedAt: number;
  /** From when it may be shown, epoch milliseconds (`pdt`). */
  readonly publishedAt: number;
  /** Plain decimal text, kept to the letter (`p`). */
  readonly price: string;
  /** Plain decimal text, kept to the letter (`q`). */
  readonly quantity: string;
  /** 32 lower-case hex digits (`tid`). */
  readonly id: string;
  readonly side?: Side;
  /** Whether it was withdrawn: readers see nothing in its place. */
  readonly withdrawn?: boolean;
}

/** Where a trade stands in the order of its market: by instant, then by id. No two trades share a place. */
export type Place = Pick<Trade, "tradedAt" | "id">;

/** The last instant that a calendar date has (ECMAScript 21.4.1.1), in epoch milliseconds. */
export const INSTANT_MAX_MS = 8_640_000_000_000_000;

/** Negative when `a` comes before `b` in time, positive when after, 0 when they are the same place. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.tradedAt !== b.tradedAt) return a.tradedAt - b.tradedAt;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** A place as a text, for use as a key. */
export const placeText = ({ tradedAt, id }: Place): string => `${tradedAt}/${id}`;

/** Whether a number is an instant that a trade may have. */
export const isInstant = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= INSTANT_MAX_MS;
