import { foreignName } from "../../lib/json/member-path.ts";
import { inThousands } from "../../local/records/tally.ts";

/** The most names that are counted apart; only a faulty file has more. */
const NAMES_MAX = 1_000;
const NAMES_SHOWN_MAX = 6;
const OTHERS = "others";

/** Counts how often names occur in a file. */
export class NameCounts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  add(name: string): void {
    const key = this.#counts.has(name) || this.#counts.size < NAMES_MAX ? name : OTHERS;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#total += 1;
  }

  /** A line such as "Left out: 12 (a 7, b 5)", the most frequent names first; none when nothing was counted. */
  describe(what: string): readonly string[] {
    if (this.#total === 0) return [];
    const sorted = [...this.#counts].sort(([, a], [, b]) => b - a);
    const shown = sorted.slice(0, NAMES_SHOWN_MAX).map(([name, count]) => `${name} ${inThousands(count)}`);
    const rest = sorted.length - shown.length;
    const more = rest > 0 ? [`${inThousands(rest)} more`] : [];
    return [`${what}: ${inThousands(this.#total)} (${[...shown, ...more].join(", ")})`];
  }
}

/** The name of a market or a type in a file, made safe to print. */
export const shownMarket = (name: string): string =>
  /^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$/.test(name) ? name : foreignName(name);

/** The beginning of the closing remark on members that were left out. */
export const LEFT_OUT = "Members left out because the contract does not have them";
