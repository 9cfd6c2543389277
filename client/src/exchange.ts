import type { Channel } from "./channel.ts";
import { PAGE_TRADES_MAX } from "./contract.ts";
import { type CallOptions, callRules } from "./options.ts";
import { aFunction, holdTo } from "./rules.ts";
import { type TradeProgress, type TradeResume, TradeWalk } from "./trade-walk.ts";

/**
 * An instant: a `Date`, Unix epoch milliseconds, or ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. A date alone is
 * its midnight in UTC.
 */
export type Instant = Date | number | string;

/** Which trades are walked through, and how. */
export interface TradesOptions extends CallOptions {
  /** The market, such as `BTC-USD`. It may be left out with `resume`. */
  readonly symbol?: string | undefined;
  /** The oldest instant, included. It may be left out with `resume`. */
  readonly from?: Instant | undefined;
  /** The newest instant, included. Default: now. With `resume`, the walk's own. */
  readonly to?: Instant | undefined;
  /** The most trades of a page, 1 to 1,900. Default: 1,900. */
  readonly limit?: number | undefined;
  /** Goes on where another walk has ended: its `progress.resume`. */
  readonly resume?: TradeResume | undefined;
  /** Told after each page, once all of its trades were given. */
  readonly onProgress?: ((progress: TradeProgress) => void) | undefined;
}

/** The exchange: all trades of its markets. */
export class Exchange {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /**
   * All trades of a market between two instants, newest first, however many there are: the walk plans windows, follows
   * cursors, and waits for tokens. It ends early by `break` or by the signal, and `progress.resume` of the walk goes on
   * after the last trade that was given.
   *
   * @example
   * const walk = client.exchange.trades({ symbol: "BTC-USD", from: "2026-11-01T00:00:00Z" });
   * for await (const { tdt, p, q } of walk) …
   * @throws {TypeError} for options that cannot be meant.
   */
  trades(options: TradesOptions): TradeWalk {
    holdTo({ ...callRules, onProgress: aFunction }, options);
    const { limit = PAGE_TRADES_MAX, signal, onWait, onProgress } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_TRADES_MAX)
      throw new TypeError(`limit: must be a whole number from 1 to ${PAGE_TRADES_MAX}.`);
    const begin = options.resume === undefined ? this.#begin(options) : resumed(options.resume, options);
    return new TradeWalk(this.#channel, begin, { limit, signal, onWait, onProgress });
  }

  #begin({ symbol, from, to }: TradesOptions): TradeResume {
    if (symbol === undefined || symbol === "") throw new TypeError("symbol: is missing.");
    if (typeof symbol !== "string") throw new TypeError("symbol: must be text.");
    if (from === undefined) throw new TypeError("from: is missing.");
    const fromMs = instantMs("from", from);
    const untilMs = to === undefined ? this.#channel.shared.platform.now() : instantMs("to", to);
    if (fromMs > untilMs) throw new TypeError("from: must not be later than to.");
    return { symbol, fromMs, untilMs, given: [] };
  }
}

/** From 1973 to 2286, milliseconds have 12 or 13 digits, seconds 9 or 10, and microseconds 15 or 16. */
const IN_MILLISECONDS = /^(?:0|\d{11,13})$/;

function instantMs(name: string, given: Instant): number {
  if (typeof given === "number") {
    if (IN_MILLISECONDS.test(String(given))) return given;
    throw new TypeError(`${name}: must be Unix epoch milliseconds, which have 13 digits.`);
  }
  const isInstant =
    given instanceof Date ||
    (typeof given === "string" && /^\d{4}-\d\d-\d\d$|(?:Z|[+-]\d\d:?\d\d)$/i.test(given));
  const ms = isInstant ? new Date(given).getTime() : Number.NaN;
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new TypeError(`${name}: must be an instant with its zone, such as 2026-11-01T00:00:00Z.`);
}

/** Options that say something else than the token were meant for another walk. */
function resumed(resume: TradeResume, { symbol, from, to }: TradesOptions): TradeResume {
  const { fromMs, untilMs, given } = resume ?? {};
  const isWhole =
    typeof resume?.symbol === "string" &&
    Number.isSafeInteger(fromMs) &&
    Number.isSafeInteger(untilMs) &&
    Array.isArray(given) &&
    given.every((id) => typeof id === "string");
  if (!isWhole) throw new TypeError("resume: must be the progress.resume of a walk.");
  if (symbol !== undefined && symbol !== resume.symbol)
    throw new TypeError(`resume: is of ${resume.symbol}, not of ${symbol}.`);
  if (from !== undefined && instantMs("from", from) !== fromMs)
    throw new TypeError("resume: is of a walk with another from.");
  if (to !== undefined && instantMs("to", to) < untilMs)
    throw new TypeError("resume: is of a walk with a later to.");
  return { symbol: resume.symbol, fromMs, untilMs, given };
}
