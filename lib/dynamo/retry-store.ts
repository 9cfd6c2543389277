import { setTimeout as pause } from "node:timers/promises";
import { isUnavailable } from "../errors.ts";

const ATTEMPTS_MAX = 8;
const FIRST_PAUSE_MS = 200;
const PAUSE_MS_MAX = 5_000;

/** The pause before the next attempt, spread over its upper half so that many writers do not return at once. */
const pauseMs = (attempt: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), PAUSE_MS_MAX) * (0.5 + Math.random() / 2);

const pauseFor = async (ms: number, stop: AbortSignal): Promise<void> => {
  await pause(ms, undefined, { signal: stop });
};

/**
 * Runs a store call, up to eight times with pauses between, while the store throttles or does not answer. The pauses
 * take some fifteen seconds; the client's own waits for answers come on top (`clientLimits`, three for each call).
 * Throws the fault of the last attempt, any other fault at once, and an abort during a pause.
 */
export async function retryStore<Result>(
  call: () => Promise<Result>,
  stop: AbortSignal,
  wait: typeof pauseFor = pauseFor,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isUnavailable(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    await wait(pauseMs(attempt), stop);
  }
}
