import { CountinghouseError } from "../../../client/src/error.ts";
import type { Exchange, TradesOptions } from "../../../client/src/exchange.ts";
import type { TradeResume } from "../../../client/src/trade-position.ts";
import type { TradeProgress } from "../../../client/src/trade-walk.ts";
import { LiveState } from "../live-state.ts";
import { pointOf, type TradePoint } from "./trade-buckets.ts";
import type { View } from "./view.ts";

/** Which trades are read. */
export interface Asked extends View {
  readonly symbol: string;
}

/** How far a reading has come. */
interface ReadingState {
  readonly phase: "idle" | "reading" | "stopped" | "done" | "failed";
  /** Which trades are here; undefined before the first reading. */
  readonly asked: Asked | undefined;
  /** What was asked for since, while nothing of it has come: until then the trades of before stay. */
  readonly awaited: Asked | undefined;
  /** The trades that were read, newest first. */
  readonly points: readonly TradePoint[];
  readonly pages: number;
  /** Tokens that the pages cost. */
  readonly tokens: number;
  /** Why it failed. */
  readonly problem: string | undefined;
  /** The request that failed, by the id that it had. */
  readonly failedId: string | undefined;
}

/** How late a trade may be written, and how long its write may be missing from a listing. */
const LATE_MS = 10_000;

const NOTHING: ReadingState = {
  phase: "idle",
  asked: undefined,
  awaited: undefined,
  points: [],
  pages: 0,
  tokens: 0,
  problem: undefined,
  failedId: undefined,
};

const failureOf = (error: unknown): Pick<ReadingState, "problem" | "failedId"> => ({
  problem: error instanceof Error ? error.message : String(error),
  failedId: error instanceof CountinghouseError ? error.requestId : undefined,
});

/**
 * Reads a market's trades page by page, newest first, and shows each page at once. A reading that was stopped, or that
 * failed, goes on after the last trade that it has: none is lost, and none comes twice.
 */
export class TradeReading {
  readonly state = new LiveState(NOTHING);
  readonly #exchange: Pick<Exchange, "trades">;
  #stop = new AbortController();
  /** The readings that were begun, one after the other. */
  #readings = Promise.resolve();
  #resume: TradeResume | undefined;

  constructor(exchange: Pick<Exchange, "trades">) {
    this.#exchange = exchange;
  }

  /**
   * Begins anew, and keeps the trades that are here until the first page has come. A reading under way is stopped, and
   * `begun` is called once it has ended. Resolves when the new one has ended in any way.
   */
  begin(asked: Asked, begun = (): void => {}): Promise<void> {
    return this.#queue(() => {
      if (this.state.value.points.length > 0) this.state.change({ awaited: asked });
      else this.state.set({ ...NOTHING, asked });
      begun();
      const { symbol, fromMs, toMs } = asked;
      return { symbol, from: fromMs, to: toMs };
    });
  }

  /** Goes on where the last reading ended. Resolves when it has ended in any way. */
  goOn(): Promise<void> {
    return this.#queue(() => this.#resume && { resume: this.#resume });
  }

  /**
   * Reads what is new since a reading was done, until `toMs`. The newest trades are read again, because a trade may be
   * written some time after its instant. A failure is shown, and the reading stays done.
   */
  follow(toMs: number): Promise<void> {
    this.#readings = this.#readings.then(() => this.#readNew(toMs));
    return this.#readings;
  }

  /** Stops the reading under way. */
  stop(): void {
    this.#stop.abort();
  }

  /** Reads once the readings before have ended, so that two never write into one list. */
  #queue(optionsOf: () => TradesOptions | undefined): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    this.#readings = this.#readings.then(() => {
      const options = optionsOf();
      return options && this.#read({ ...options, signal: stop.signal });
    });
    return this.#readings;
  }

  async #read(options: TradesOptions): Promise<void> {
    const { awaited } = this.state.value;
    const earlier = awaited === undefined ? this.state.value : { ...NOTHING, asked: awaited };
    const points = [...earlier.points];
    this.state.change({ phase: "reading", problem: undefined });
    const show = ({ pages, tokens, resume }: TradeProgress, change: Partial<ReadingState> = {}): void => {
      this.#resume = resume;
      const counts = { pages: earlier.pages + pages, tokens: earlier.tokens + tokens };
      const { asked } = earlier;
      const come = pages > 0 && { asked, awaited: undefined, points: [...points], ...counts };
      this.state.change({ ...come, ...change });
    };
    const walk = this.#exchange.trades({ ...options, onProgress: (progress) => show(progress) });
    try {
      for await (const trade of walk) points.push(pointOf(trade));
      show(walk.progress, { phase: "done" });
    } catch (error) {
      const isStopped = options.signal?.aborted === true;
      show(walk.progress, isStopped ? { phase: "stopped" } : { phase: "failed", ...failureOf(error) });
    }
  }

  async #readNew(toMs: number): Promise<void> {
    const { phase, asked, points, pages, tokens } = this.state.value;
    if (phase !== "done" || asked === undefined || toMs <= asked.toMs) return;
    const fromMs = Math.max(asked.fromMs, asked.toMs - LATE_MS);
    const { signal } = this.#stop;
    const walk = this.#exchange.trades({ symbol: asked.symbol, from: fromMs, to: toMs, signal });
    try {
      const newest: TradePoint[] = [];
      for await (const trade of walk) newest.push(pointOf(trade));
      this.state.change({
        asked: { ...asked, toMs },
        points: [...newest, ...points.filter(({ atMs }) => atMs < fromMs)],
        pages: pages + walk.progress.pages,
        tokens: tokens + walk.progress.tokens,
        problem: undefined,
      });
    } catch (error) {
      this.state.change(failureOf(error));
    }
  }
}
