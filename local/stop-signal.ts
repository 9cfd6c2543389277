import type { EventEmitter } from "node:events";

/** npm passes a Ctrl-C on that the terminal has sent us already: two signals so close are one wish. */
const SAME_WISH_MS = 300;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export interface StopOptions {
  /** Whatever is told of the process's signals. */
  readonly process: Pick<EventEmitter, "on">;
  /** Milliseconds since any instant. */
  readonly now: () => number;
  /** Called at the second wish: what is still being finished is then left as it is. */
  readonly stopAtOnce: () => void;
}

/** Resolves at the first wish to stop. */
export function stopRequested({ process, now, stopAtOnce }: StopOptions): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const wish = (): void => {
      firstAtMs ??= now();
      if (now() - firstAtMs > SAME_WISH_MS) stopAtOnce();
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, wish);
  });
}
