import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { places } from "../installation.ts";
import { compileCacheVariable } from "../process/compile-cache.ts";
import type { WireItem } from "../store/behaviour/touched-items.ts";

export interface FirstTradesSettings {
  /** The instant of the last trade at most, in epoch milliseconds. */
  readonly untilMs: number;
}

/** Some of the items, or that all were sent. */
export type FirstTradesMessage = readonly WireItem[] | "all";

/**
 * The trades that a first start writes, as they are stored. A thread packs them while the start does what it can do
 * without them.
 */
export class FirstTrades {
  readonly untilMs: number;
  readonly #worker: Worker;
  readonly #messages: AsyncIterable<[FirstTradesMessage]>;

  constructor(untilMs: number) {
    this.untilMs = untilMs;
    this.#worker = new Worker(places.tradesThread, {
      name: "demo trades",
      workerData: { untilMs } satisfies FirstTradesSettings,
      env: compileCacheVariable(),
      execArgv: [],
    });
    // From the beginning: what is sent, or fails, before anybody asks for it is kept.
    this.#messages = on(this.#worker, "message", { close: ["exit"] }) as AsyncIterable<[FirstTradesMessage]>;
  }

  /** The items of all segments, in parts; only once. Throws when the thread ends without having sent all. */
  async *parts(): AsyncGenerator<readonly WireItem[]> {
    for await (const [message] of this.#messages) {
      if (message === "all") return;
      yield message;
    }
    throw new Error("The thread that packs the demo's trades ended before it had packed all.");
  }

  /** Ends the thread, if it still works. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
