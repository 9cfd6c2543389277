import type { Clock } from "../../lib/clock.ts";
import { exitCodes } from "../terminal/operator-error.ts";

/** npm passes a terminal's Ctrl-C on to us, who had it from the terminal already: within this time it is the same one. */
const SAME_INTERRUPT_MS = 1_000;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** What became of Ctrl-C. */
export interface Interrupt {
  readonly happened: () => boolean;
  /** Gives the signals back their usual effect. */
  readonly forget: () => void;
}

/**
 * Lets Ctrl-C abort `stop`, so that work ends in good order; another one, a second or more later, ends the process.
 *
 * @param answer called at the first one, to tell at once what is waited for.
 */
export function stopOnInterrupt(stop: AbortController, clock: Clock, answer: () => void): Interrupt {
  let firstAt: number | undefined;
  const onSignal = () => {
    const now = clock();
    if (firstAt !== undefined && now - firstAt >= SAME_INTERRUPT_MS) process.exit(exitCodes.interrupted);
    if (firstAt !== undefined) return;
    firstAt = now;
    stop.abort();
    answer();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    happened: () => firstAt !== undefined,
    forget: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
