import { type Clock, systemClock } from "../lib/clock.ts";
import { exitCodes } from "../local/process/operator-error.ts";
import { listenForStop, onParentGone } from "../local/process/stop-signal.ts";
import { isRunByNpm } from "./store/store-options.ts";
import { showProgress } from "./terminal/show-progress.ts";

/** Tells whether Ctrl-C was pressed, and ends the handling of it. */
export interface Interrupt {
  readonly happened: () => boolean;
  /** Restores the signals' usual effect. */
  readonly forget: () => void;
}

/**
 * Lets Ctrl-C abort `stop`, so that work ends in good order, and the end of the npm that runs this process as well.
 * Another Ctrl-C, a second or more later, ends the process.
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
  const restore = listenForStop({ process, now: clock, onFirst, onAgain });
  const unwatch = isRunByNpm() ? onParentGone(onFirst) : undefined;
  const forget = (): void => {
    restore();
    unwatch?.();
  };
  return { happened: () => happened, forget };
}

/** Does work that Ctrl-C stops. */
export async function untilInterrupt<Result>(work: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => console.error("\nStopping …"));
  try {
    return await work(stop.signal);
  } finally {
    showProgress("");
    interrupt.forget();
  }
}

/** For a `catch`: the error of work that was stopped is that it was stopped. */
export const unlessStopped =
  (stop: AbortSignal) =>
  (error: unknown): undefined => {
    if (!stop.aborted) throw error;
  };
