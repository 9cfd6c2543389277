import type { Platform } from "../../../client/src/platform.ts";
import { retryAfterMs } from "../../../client/src/told-wait.ts";
import { LiveState } from "../live-state.ts";
import { type Gauge, gaugesOf } from "./gauges.ts";

/** How far the using up of a budget has come. */
export interface SpendingState {
  readonly phase: "idle" | "spending" | "refused" | "recovered" | "stopped" | "failed";
  /** The budget that is used up, by its name in `RateLimit`. */
  readonly budget: string | undefined;
  /** Requests that were answered with 200. */
  readonly answered: number;
  /** Requests that were answered with 429. */
  readonly refused: number;
  /** The last `Retry-After`, in milliseconds. */
  readonly toldMs: number | undefined;
  /** Why it failed. */
  readonly problem: string | undefined;
}

const NOTHING: SpendingState = {
  phase: "idle",
  budget: undefined,
  answered: 0,
  refused: 0,
  toldMs: undefined,
  problem: undefined,
};

/** How a budget is used up. */
export interface SpendingParts {
  /** Sends a request that costs `cost` tokens. */
  readonly ask: (signal: AbortSignal) => Promise<Response>;
  readonly cost: number;
  readonly retryAfterUnit: "milliseconds" | "seconds";
  readonly platform: Pick<Platform, "now" | "sleep">;
}

/** Sends requests without a pause until one is refused for want of a budget's tokens, waits as told, and ends with a 200. */
export class Spending {
  readonly state = new LiveState(NOTHING);
  readonly #parts: SpendingParts;
  #stop = new AbortController();

  constructor(parts: SpendingParts) {
    this.#parts = parts;
  }

  /** Stops the spending under way. */
  stop(): void {
    this.#stop.abort();
  }

  /** Uses a budget up; a spending under way is stopped. Resolves when this one has ended in any way. */
  async useUp(budget: string): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    this.state.set({ ...NOTHING, phase: "spending", budget });
    try {
      await this.#spend(budget, stop.signal);
      this.state.change({ phase: "recovered" });
    } catch (error) {
      if (this.#stop !== stop) return;
      const problem = error instanceof Error ? error.message : String(error);
      this.state.change(stop.signal.aborted ? { phase: "stopped" } : { phase: "failed", problem });
    }
  }

  /** Resolves with the first 200 after the budget was used up. */
  async #spend(budget: string, signal: AbortSignal): Promise<void> {
    for (let isUsedUp = false; ; ) {
      const response = await this.#parts.ask(signal);
      signal.throwIfAborted();
      if (response.status === 429) {
        isUsedUp ||= this.#isShort(budget, response.headers);
        await this.#wait(response.headers, signal);
      } else if (response.status === 200) {
        this.state.change({ answered: this.state.value.answered + 1 });
        if (isUsedUp) return;
      } else throw new Error(`A request was answered with ${response.status}.`);
    }
  }

  /** Whether a refusal is the budget's own, or that of a slower one, which leaves no way to use this one up. */
  #isShort(budget: string, headers: Headers): boolean {
    const gauges = gaugesOf(headers, this.#parts.platform.now());
    const wanted = gauges.find(({ name }) => name === budget);
    if (wanted === undefined) return false;
    return gauges.some((gauge) => gauge.left < this.#parts.cost && tokenMsOf(gauge) >= tokenMsOf(wanted));
  }

  async #wait(headers: Headers, signal: AbortSignal): Promise<void> {
    const { platform, retryAfterUnit } = this.#parts;
    const toldMs = retryAfterMs(headers, { retryAfterUnit, now: platform.now() });
    if (toldMs === undefined) throw new Error("A 429 does not say how long to wait.");
    this.state.change({ phase: "refused", refused: this.state.value.refused + 1, toldMs });
    await platform.sleep(toldMs, signal);
    this.state.change({ phase: "spending" });
  }
}

/** Milliseconds in which a token comes back. */
const tokenMsOf = ({ burst, fillMs }: Gauge): number => fillMs / burst;
