/** The characters of an identifier. `isId` refuses `.` and `..` as well. */
export const ID = /^[A-Za-z0-9._~:@-]{1,128}$/;

/** With the flag `u`, a character beyond 16 bits counts as one. */
const REQUEST_ID = /^\P{Cc}{1,128}$/u;

/** DynamoDB's partition keys have at most 2,048 bytes: here an owner, a separator and a request id of up to 512. */
const OWNER_BYTES_MAX = 1_535;

/** The rule of `isOwnerId` in words. */
export const OWNER_ID_RULE = `1 to ${OWNER_BYTES_MAX} bytes of text`;

/**
 * Whether a text can identify a stored record: 1 to 128 characters that API Gateway passes on unchanged. `.` and `..`
 * cannot, because clients and servers remove them from a path (RFC 3986, section 5.2.4).
 */
export const isId = (text: string): boolean => ID.test(text) && text !== "." && text !== "..";

/**
 * Whether a text can be the request id of a transaction: 1 to 128 characters of any kind but control characters, 512
 * bytes at most. The rule is wide because clients choose these ids and keep them.
 */
export const isRequestId = (text: string): boolean => text.isWellFormed() && REQUEST_ID.test(text);

/** Whether a text can name a business or a partner: anything that an identity provider issues, within a key's size. */
export const isOwnerId = (text: string): boolean =>
  text !== "" && text.isWellFormed() && Buffer.byteLength(text) <= OWNER_BYTES_MAX;
