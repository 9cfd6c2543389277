import { isUnavailable } from "../errors.ts";
import { isTransient } from "./client.ts";

/**
 * Why a store call failed, where the failure is transient. `connection`: the connection broke, perhaps only because it
 * died while the function was frozen. `throttled-key`: one key gets more requests than a partition can bear. `down`:
 * anything else, above all a timeout, after which it is unknown whether the call took effect.
 */
export type StoreFailure = "connection" | "throttled-key" | "down";

const CONNECTION_CODES: ReadonlySet<unknown> = new Set([
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

/**
 * @returns undefined for a fault of ours, such as a missing table or permission, which no waiting repairs. Also
 * undefined for a call that was given up because its request had been answered: nothing is left to do then.
 */
export function classifyStoreFailure(error: unknown): StoreFailure | undefined {
  // An answer that proves nothing counts as no answer.
  if (isUnavailable(error)) return "down";
  if (!isTransient(error) || isAbandoned(error)) return undefined;
  if (isThrottledOnKey(error)) return "throttled-key";
  return CONNECTION_CODES.has((error as { code?: unknown }).code) ? "connection" : "down";
}

const isAbandoned = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

/**
 * The reasons, which one exception spells `throttlingReasons`, name the limit: `TableWriteKeyRangeThroughputExceeded`.
 */
function isThrottledOnKey(error: unknown): boolean {
  const { ThrottlingReasons, throttlingReasons } = error as Record<string, unknown>;
  const reasons = ThrottlingReasons ?? throttlingReasons;
  if (!Array.isArray(reasons)) return false;
  return reasons.some(({ reason }: { reason?: unknown }) => String(reason).includes("KeyRange"));
}
