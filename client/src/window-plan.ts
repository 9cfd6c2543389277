import { WINDOW_DAYS_MAX } from "./contract.ts";

/** A day of the exchange's contract, whatever the calendar says. */
const DAY_MS = 86_400_000;

/** A stretch of time, both ends included, in Unix epoch milliseconds. */
export interface TradeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** Tokens that a page of a window costs: one for each day begun. */
export const costOf = ({ startMs, endMs }: TradeWindow): number =>
  Math.max(1, Math.ceil((endMs - startMs) / DAY_MS));

/** A window grows by no more than this at once: trades may be denser a week earlier. */
const GROWTH_MAX = 4;
/** The part of a page that a window should fill: a page too many costs the whole window again. */
const FILL = 0.8;

/**
 * Chooses the windows of a walk through a market's trades. Each page costs its whole window, so a window should have
 * one page, or be a day, which is the cheapest. The first window is a day.
 */
export class WindowPlan {
  readonly #pageTrades: number;
  #days = 1;

  /** @param pageTrades the most trades of a page. */
  constructor(pageTrades: number) {
    this.#pageTrades = pageTrades;
  }

  /** The next window: it ends at `endMs` and begins no earlier than `fromMs`. */
  next(fromMs: number, endMs: number): TradeWindow {
    return { startMs: Math.max(fromMs, endMs - this.#days * DAY_MS), endMs };
  }

  /** Learns from a stretch how dense the trades are. */
  saw({ startMs, endMs }: TradeWindow, trades: number): void {
    const perDay = (trades * DAY_MS) / (endMs - startMs + 1);
    const fitting = Math.floor((FILL * this.#pageTrades) / perDay);
    this.#days = Math.max(1, Math.min(fitting, GROWTH_MAX * this.#days, WINDOW_DAYS_MAX));
  }
}
