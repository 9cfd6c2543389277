import { isOwnerId, OWNER_ID_RULE } from "../../lib/id.ts";

/** The subject of tokens as their issuer spells it, whatever that is. @throws {RangeError} with a message for the operator. */
export function parseSubject(text: string): string {
  if (isOwnerId(text)) return text;
  throw new RangeError(`An id is ${OWNER_ID_RULE}.`);
}

/**
 * The id of a business or a partner, as an operator names one. Nobody means a control character, which comes with what was
 * copied from a terminal and is not seen in any list.
 *
 * @throws {RangeError} with a message for the operator.
 */
export function parseOwnerId(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new RangeError("An id has no control characters, such as line ends.");
  return parseSubject(text);
}
