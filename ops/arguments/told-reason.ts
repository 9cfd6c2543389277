import { isReason, REASON_RULE } from "./reason.ts";
import { looksSecret } from "./secret-look-alike.ts";

/**
 * A reason that other operators read, without white space around it.
 *
 * @throws {RangeError} with a message for the operator.
 */
export function parseReason(text: string): string {
  const reason = text.trim();
  if (!isReason(reason)) throw new RangeError(`A reason is ${REASON_RULE}.`);
  if (looksSecret(reason))
    throw new RangeError("This looks like a key or a token. Every operator can read a reason: give words.");
  return reason;
}
