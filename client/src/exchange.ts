import type { Channel } from "./channel.ts";
import { PAGE_TRADES_MAX } from "./contract.ts";
import { brokenInstantRule, epochMsOf, type Instant } from "./instant.ts";
import { type CallOptions, callRules } from "./options.ts";
import { aFunction, holdTo } from "./rules.ts";
import type { TradeResume } from "./trade-position.ts";
import { type TradeProgress, TradeWalk } from "./trade-walk.ts";

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

function instantMs(name: string, given: Instant): number {
  const ms = epochMsOf(given);
  if (!Number.isNaN(ms)) return ms;
  throw new TypeError(`${name}: ${brokenInstantRule(given)}.`);
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
