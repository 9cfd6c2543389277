import { durationMs } from "../../local/time/duration.ts";

/**
 * A length of time such as `500ms`, `30s`, `10m` or `2h`, in milliseconds.
 *
 * @throws {RangeError} with a message for the operator, when the text is not such a length.
 */
export function parseDuration(text: string): number {
  const ms = durationMs(text, ["ms", "s", "m", "h"]);
  if (ms === undefined) throw new RangeError("Give a length of time such as 500ms, 30s, 10m or 2h.");
  return ms;
}
