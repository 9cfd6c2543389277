import { AsyncLocalStorage } from "node:async_hooks";
import { Failure } from "./errors.ts";

/**
 * How long before Lambda's own limit a request is answered, in ms. The answer and its line take one ms of CPU (measured, the
 * first time), which with the way out is some ten for a function that has 0.29 of a CPU; the rest is for a busy thread.
 */
export const ANSWER_MS = 100;

const LATE_RETRY_AFTER_MS = 1_000;

/** @throws {Failure} the answer to a request whose time is over. */
export function runOutOfTime(): never {
  throw new Failure("temporarily_unavailable", "The function ran out of time.", {
    retryAfterMs: LATE_RETRY_AFTER_MS,
  });
}

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs the work of one request, all of which finds `signal` as its {@link deadlineSignal}. */
export const runUntil = <Result>(signal: AbortSignal, work: () => Result): Result =>
  signals.run(signal, work);

/**
 * The signal that aborts when the request that is worked on has run out of time and was answered; undefined outside of
 * any request, as while a function loads. What waits for others takes it along, so that nothing goes on after the answer.
 */
export const deadlineSignal = (): AbortSignal | undefined => signals.getStore();
