import type { Clock } from "../../lib/clock.ts";
import { listenForStop } from "../../local/stop-signal.ts";
import { exitCodes } from "../terminal/operator-error.ts";

/** Tells whether Ctrl-C was pressed, and ends the handling of it. */
export interface Interrupt {
  readonly happened: () => boolean;
  /** Restores the signals' usual effect. */
  readonly forget: () => void;
}

/**
 * Lets Ctrl-C abort `stop`, so that work ends in good order. Another Ctrl-C, a second or more later, ends the process.
 *
 * @param answer called at the first Ctrl-C, to say at once what the command still waits for.
 */
export function stopOnInterrupt(stop: AbortController, clock: Clock, answer: () => void): Interrupt {
  let happened = false;
  const onFirst = () => {
    happened = true;
    stop.abort();
    answer();
  };
  const onAgain = () => process.exit(exitCodes.interrupted);
  const forget = listenForStop({ process, now: clock, onFirst, onAgain });
  return { happened: () => happened, forget };
}
