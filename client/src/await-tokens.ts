import type { Budget, Reservation } from "./budget.ts";

/** A longer wait is looked at again after so long: another answer may have told of another limit. */
const LOOK_MS = 60_000;

/** How tokens are waited for. */
export interface TokenWait {
  /** The longest wait, in milliseconds. */
  readonly longestMs: number;
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * Waits until the tokens of a reservation are there. A wait that is too long is not begun: the service then says by itself
 * whether its limit is still the same.
 */
export async function awaitTokens(
  budget: Budget,
  reservation: Reservation,
  { longestMs, pause }: TokenWait,
): Promise<void> {
  if (budget.waitMs(reservation) > longestMs) return;
  let leftMs = longestMs;
  for (let isLast = false; !isLast; ) {
    const waitMs = Math.min(budget.waitMs(reservation), leftMs);
    isLast = waitMs <= LOOK_MS;
    await pause(isLast ? waitMs : LOOK_MS);
    leftMs -= LOOK_MS;
  }
}
