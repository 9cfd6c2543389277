/**
 * A program that a thread runs before a bundle: it makes two runs of the same code ask for the same things, byte by byte. The
 * clocks stand, what is random is constant, and each connection over TLS goes to the recorder in plain text, whatever host it is
 * meant for. Timers are slow, so that a busy machine lets no request time out.
 */
import crypto from "node:crypto";
import { Agent } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import { workerData } from "node:worker_threads";

/** Longer than any pause of the machine. */
const SLOWNESS = 20;

const { now, storePort } = workerData as { readonly now: number; readonly storePort: number };

class StandingDate extends Date {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [now] : given) as [number]));
  }

  static override now(): number {
    return now;
  }
}
globalThis.Date = StandingDate as DateConstructor;
performance.now = () => 1;

Math.random = () => 0;
const randomUUID = () => "00000000-0000-4000-8000-000000000000" as const;
Object.assign(crypto, { randomUUID });
Object.assign(globalThis.crypto, { randomUUID });
syncBuiltinESMExports();

const startTimer = globalThis.setTimeout;
globalThis.setTimeout = ((callback: () => void, delayMs = 0, ...given: readonly []) =>
  startTimer(callback, delayMs * SLOWNESS, ...given)) as typeof setTimeout;

Agent.prototype.createConnection = () => connect(storePort, "127.0.0.1");
