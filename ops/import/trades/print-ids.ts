import { createHash } from "node:crypto";
import { RecentMap } from "../../../lib/recent-map.ts";
import type { Print } from "../../../lib/trades/trade-document.ts";

/** The most prints that are remembered: files are sorted by time, so equal prints lie near each other. */
const PRINTS_MAX = 100_000;

/**
 * Makes ids for trades that have none: a hash of everything known about the trade, and of the number of equal prints
 * before it, because two equal prints are two trades. The same file gives the same ids, and so does a part of it. Zeros
 * at the end of a decimal do not count, because editions of a file differ in them.
 *
 * Equal prints are distinguished only within one file in order of time. Where a file is cut between two of them, or
 * 100,000 other prints lie between, each counts as the first.
 */
export class PrintIds {
  readonly #counts = new RecentMap<string, number>(PRINTS_MAX);

  next({ symbol, tradedAtMicros, price, quantity, side }: Print): string {
    const parts = [symbol, tradedAtMicros, withoutZeros(price), withoutZeros(quantity), side ?? ""];
    const print = parts.join(" ");
    const count = (this.#counts.get(print) ?? 0) + 1;
    this.#counts.set(print, count);
    return createHash("sha256").update(`${print} ${count}`).digest("hex").slice(0, 32);
  }
}

const withoutZeros = (decimal: string): string =>
  decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
