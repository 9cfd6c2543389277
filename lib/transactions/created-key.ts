import { isId } from "../id.ts";

const MICROS_LENGTH = 18;

/**
 * The place of a transaction in a business's listing: the instant of its creation in microseconds (18 digits), `#`, and
 * its id. Unique, and sorts as text, so it also serves as the position of a page. It changes only when the source
 * corrects the instant of creation.
 */
export const createdKey = (createdMicros: string, id: string): string => `${createdMicros}#${id}`;

/** The instant of creation at a position, in 18 digits of microseconds. */
export const createdMicrosAt = (position: string): string => position.slice(0, MICROS_LENGTH);

/** The id of the transaction at a position. */
export const idAt = (position: string): string => position.slice(MICROS_LENGTH + 1);

/** Whether a text has the form of a position. */
export const isPosition = (text: string): boolean => /^\d{18}#/.test(text) && isId(idAt(text));
