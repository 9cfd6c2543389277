const ID = /^[A-Za-z0-9._~:-]{1,128}$/;

/** A partition key may have 2,048 bytes; an owner shares it with a separator and an identifier of 128. */
const OWNER_BYTES_MAX = 1_900;

/**
 * Whether a text can be an identifier of a stored record: 1 to 128 characters that the gateway hands over unchanged.
 * `.` and `..` cannot: clients and servers take them out of a path (RFC 3986, section 5.2.4).
 */
export const isId = (text: string): boolean => ID.test(text) && text !== "." && text !== "..";

/** Whether a text can name a business or a partner: whatever an identity provider issues, within a key's size. */
export const isOwnerId = (text: string): boolean =>
  text !== "" && text.isWellFormed() && Buffer.byteLength(text) <= OWNER_BYTES_MAX;
