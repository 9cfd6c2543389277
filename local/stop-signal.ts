import type { EventEmitter } from "node:events";

/**
 * npm passes a Ctrl-C on that the terminal has sent us already: signals so close together are one wish. It may be late on a
 * busy machine, and work that is broken off costs more than one more key.
 */
const SAME_WISH_MS = 1_000;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Whom to tell that somebody wants us to stop. */
export interface StopListener {
  /** Whatever is told of the process's signals. */
  readonly process: Pick<EventEmitter, "on" | "off">;
  /** Milliseconds since any instant. */
  readonly now: () => number;
  /** Called once, at the first wish. */
  readonly onFirst: () => void;
  /** Called at each wish that comes a second or more after the first. */
  readonly onAgain: () => void;
}

/** Listens for wishes to stop in place of the process's own ending. @returns what gives the signals back their usual effect. */
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
