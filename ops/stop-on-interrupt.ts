import type { Clock } from "../lib/clock.ts";
import { exitCodes } from "../local/process/operator-error.ts";
import { listenForStop, onParentGone } from "../local/process/stop-signal.ts";
import { isRunByNpm } from "./store/store-options.ts";

/** Whether an error only says that `stop` ended the work. What fails by itself after Ctrl-C is still a fault. */
export const isEndBy = (stop: AbortSignal, error: unknown): boolean =>
  stop.aborted && error instanceof Error && (error.name === "AbortError" || isEndBy(stop, error.cause));

/**
 * Lets Ctrl-C abort `stop`, so that work ends in good order, and the end of the npm that runs this process as well.
 * Another Ctrl-C, a second or more later, ends the process.
 *
 * @param answer called at the first Ctrl-C, to say at once what the command still waits for.
 * @returns whether Ctrl-C was pressed, and what restores the signals' usual effect unless it was.
 */
export function stopOnInterrupt(stop: AbortController, clock: Clock, answer: () => void) {
  let happened = false;
  const onFirst = () => {
    happened = true;
    stop.abort();
    answer();
  };
  const onAgain = () => process.exit(exitCodes.interrupted);
  const restore = listenForStop({ process, now: clock, onFirst, onAgain });
  const unwatch = isRunByNpm() ? onParentGone(onFirst) : undefined;
  const forget = (): void => {
    unwatch?.();
    // Npm passes on the Ctrl-C that the terminal has sent too: the second must not end the command before its audit.
    if (!happened) restore();
  };
  return { happened: (): boolean => happened, forget };
}
