import type { Clock } from "../../lib/clock.ts";
import { listenForStop } from "../../local/stop-signal.ts";
import { exitCodes } from "../terminal/operator-error.ts";

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
