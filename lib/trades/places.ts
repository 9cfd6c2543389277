import { ID_DIGITS } from "./segment-columns.ts";
import { lastPlaceAt } from "./segment-key.ts";
import { comparePlaces, type Place } from "./trade.ts";

/** The place just before another, with no place between them. */
export function placeBefore({ tradedAt, id }: Place): Place {
  const value = BigInt(`0x${id}`);
  if (value === 0n) return lastPlaceAt(tradedAt - 1);
  return { tradedAt, id: (value - 1n).toString(16).padStart(ID_DIGITS, "0") };
}

/** The older of two places. */
export const olderOf = (a: Place, b: Place): Place => (comparePlaces(a, b) < 0 ? a : b);
