import { isOwnerId, OWNER_ID_RULE } from "../../lib/id.ts";

/** The subject of access tokens, as their issuer spells it. @throws {RangeError} with a message for the operator. */
export function parseSubject(text: string): string {
  if (isOwnerId(text)) return text;
  throw new RangeError(`An id is ${OWNER_ID_RULE}.`);
}

/**
 * The id of a business or a partner, as an operator gives it. A control character is refused: it slips in with text
 * that was copied from a terminal, and is never meant.
 *
 * @throws {RangeError} with a message for the operator.
 */
export function parseOwnerId(text: string): string {
  if (/\p{Cc}/u.test(text))
    throw new RangeError("An id must not have control characters, such as line ends.");
  return parseSubject(text);
}
