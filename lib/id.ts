const ID = /^[A-Za-z0-9._~:@-]{1,128}$/;

/** With the flag, a character beyond 16 bits counts as one. */
const REQUEST_ID = /^\P{Cc}{1,128}$/u;

/** A partition key may have 2,048 bytes; an owner shares it with a separator and a request id of 512. */
const OWNER_BYTES_MAX = 1_535;

/** What `isOwnerId` asks for, in words. */
export const OWNER_ID_RULE = `1 to ${OWNER_BYTES_MAX} bytes of text`;

/**
 * Whether a text can be an identifier of a stored record: 1 to 128 characters that the gateway hands over unchanged.
 * `.` and `..` cannot: clients and servers take them out of a path (RFC 3986, section 5.2.4).
 */
export const isId = (text: string): boolean => ID.test(text) && text !== "." && text !== "..";

/**
 * Whether a text can be the request id of a transaction: 1 to 128 characters of any kind but control characters, 512
 * bytes at most. A client chose it, and nobody can rename what a client remembers.
 */
export const isRequestId = (text: string): boolean => text.isWellFormed() && REQUEST_ID.test(text);

/** Whether a text can name a business or a partner: whatever an identity provider issues, within a key's size. */
export const isOwnerId = (text: string): boolean =>
  text !== "" && text.isWellFormed() && Buffer.byteLength(text) <= OWNER_BYTES_MAX;
