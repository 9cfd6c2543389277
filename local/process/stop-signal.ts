import type { EventEmitter } from "node:events";

/**
 * npm forwards a Ctrl-C that the terminal has already sent to this process, so signals this close together count as
 * one. The time is long, because npm may be late on a busy machine and lost work costs more than a second Ctrl-C.
 */
const SAME_WISH_MS = 1_000;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Where stop signals come from, and what they call. */
export interface StopListener {
  /** The emitter of the process's signals. */
  readonly process: Pick<EventEmitter, "on" | "off">;
  /** Milliseconds since any fixed instant. */
  readonly now: () => number;
  /** Called once, at the first signal. */
  readonly onFirst: () => void;
  /** Called at each signal that comes a second or more after the first. */
  readonly onAgain: () => void;
}

/** Takes over the signals that would end the process. @returns a function that restores their usual effect. */
export function listenForStop({ process, now, onFirst, onAgain }: StopListener): () => void {
  let firstAtMs: number | undefined;
  const wish = (): void => {
    const atMs = now();
    if (firstAtMs === undefined) {
      firstAtMs = atMs;
      onFirst();
    } else if (atMs - firstAtMs >= SAME_WISH_MS) onAgain();
  };
  for (const signal of SIGNALS) process.on(signal, wish);
  return () => {
    for (const signal of SIGNALS) process.off(signal, wish);
  };
}

/**
 * Resolves at a signal to stop, or when npm's shell has ended. A later signal ends the process at once.
 *
 * @param isNpmStart whether the parent only exists to run this process.
 */
export const stopWanted = (isNpmStart: boolean): Promise<void> =>
  new Promise((resolve) => {
    const stopAtOnce = (): never => process.exit(1);
    listenForStop({ process, now: () => performance.now(), onFirst: resolve, onAgain: stopAtOnce });
    if (isNpmStart) onParentGone(resolve);
  });

const CHECK_MS = 300;

/**
 * Calls `gone` once when this process's parent has ended. npm signals only the shell that runs a script, and the shell exits
 * without forwarding the signal. The watch does not keep the process alive.
 *
 * @returns a function that ends the watch.
 */
export function onParentGone(gone: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
