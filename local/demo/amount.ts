import { type ExactNumber, isExactNumber, parseExactJson } from "../../lib/json/exact-json.ts";

/** A whole number of smallest units, written with all its decimals: 1050 with 2 is `10.50`. */
export function exactDecimal(units: bigint, decimals: number): ExactNumber {
  const sign = units < 0n ? "-" : "";
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const number = parseExactJson(`${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
  if (!isExactNumber(number)) throw new Error("Digits around a point must be a JSON number.");
  return number;
}

/** An amount of a currency with two decimals, from its minor units. */
export const amountOf = (minorUnits: number): ExactNumber => exactDecimal(BigInt(minorUnits), 2);
