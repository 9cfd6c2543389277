import { Failure } from "../errors.ts";

/** How long an owner is asked to wait whose item is written too often. */
export const THROTTLED_RETRY_AFTER_MS = 1_000;

/** The answer to a request that cannot be charged, because its owner's item is written too often. */
export const throttled = (retryAfterMs: number, cause?: unknown): Failure =>
  new Failure("temporarily_unavailable", "The limit's item is written too often.", { retryAfterMs, cause });
