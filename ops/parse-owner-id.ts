import { isOwnerId, OWNER_ID_RULE } from "../lib/id.ts";

/** The id of a business or a partner. @throws {RangeError} with a message for the operator. */
export function parseOwnerId(text: string): string {
  if (isOwnerId(text)) return text;
  throw new RangeError(`An id is ${OWNER_ID_RULE}.`);
}
