import { AsyncLocalStorage } from "node:async_hooks";
import { unavailable } from "./errors.ts";

/**
 * How many ms before Lambda's own limit a request is answered. The answer and its log line take 1 ms of CPU (measured
 * on a first request), some 10 ms with the way out on a function with 0.29 of a CPU. The rest is for a busy thread.
 */
export const ANSWER_MS = 100;

/** @throws {Failure} always, with the answer to a request whose time is over. */
export function runOutOfTime(): never {
  throw unavailable("The function ran out of time.");
}

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs the work of one request. Everything in it finds `signal` as its {@link deadlineSignal}. */
export const runUntil = <Result>(signal: AbortSignal, work: () => Result): Result =>
  signals.run(signal, work);

/**
 * The signal that aborts when the current request has run out of time and was answered; undefined outside a request,
 * such as while a function loads. Code that waits passes the signal on, so that nothing continues after the answer.
 */
export const deadlineSignal = (): AbortSignal | undefined => signals.getStore();
