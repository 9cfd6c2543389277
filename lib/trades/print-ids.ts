import { createHash } from "node:crypto";
import { RecentMap } from "../recent-map.ts";
import type { Side } from "./trade-kinds.ts";

/** What a source says of a trade that has no id there. */
export interface Print {
  readonly symbol: string;
  /** Epoch microseconds, as finely as the source knows them. */
  readonly tradedAtMicros: string;
  readonly price: string;
  readonly quantity: string;
  readonly side?: Side | undefined;
}

/** Different prints that are remembered; files are sorted by time, so equal ones lie near each other. */
const PRINTS_MAX = 100_000;

/**
 * Makes ids for trades that have none: a hash of what is known of the trade, and of how many equal ones came before it,
 * because two equal prints are two trades. The same file gives the same ids, and so does a part of it; zeros at the end
 * of a decimal do not count, because editions of a file differ in them. Equal prints are told apart within one file that is
 * in order of time: where a file is cut between two of them, or 100,000 others lie between, each counts as the first.
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
