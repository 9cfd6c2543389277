import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { RecentMap } from "../../lib/recent-map.ts";
import type { StoreCall } from "./store-call.ts";

/** Sessions whose calls are remembered. A service has fewer environments at a time; dead ones are forgotten. */
const SESSIONS_MAX = 256;
/** How often calls are collected that no request takes, so that they do not pile up. */
const COLLECT_MS = 1_000;
/** Calls of one session that are remembered: more than any request makes. */
const CALLS_MAX = 1_000;

/**
 * The calls of the store that execution environments have made and no one has taken yet. The store's thread puts a call
 * into the port before it answers it. So when an environment has returned a result, its answered calls are all there.
 */
export class CallLedger {
  readonly #port: MessagePort;
  readonly #calls = new RecentMap<string, StoreCall[]>(SESSIONS_MAX);

  constructor(port: MessagePort) {
    this.#port = port;
    // A listener would wake this thread for each call. Calls of functions that no request asked are collected here.
    const collecting = setInterval(() => this.#collect(), COLLECT_MS);
    collecting.unref();
    port.once("close", () => clearInterval(collecting));
    port.unref();
  }

  /** Takes the calls of a session that arrived between two instants of the steady clock, both included. */
  take(session: string, sinceNs: bigint, untilNs: bigint): readonly StoreCall[] {
    this.#collect();
    const isTaken = ({ arrivedNs }: StoreCall): boolean => arrivedNs >= sinceNs && arrivedNs <= untilNs;
    const calls = this.#calls.get(session) ?? [];
    // The environment may be at work on its next request already.
    const left = calls.filter((call) => !isTaken(call));
    this.#calls.set(session, left);
    return calls.filter(isTaken);
  }

  /** Reads what has been told so far. */
  #collect(): void {
    for (
      let next = receiveMessageOnPort(this.#port);
      next !== undefined;
      next = receiveMessageOnPort(this.#port)
    )
      this.#record(next.message as StoreCall);
  }

  #record(call: StoreCall): void {
    const calls = this.#calls.get(call.session) ?? [];
    this.#calls.set(call.session, [...calls.slice(-CALLS_MAX + 1), call]);
  }
}
