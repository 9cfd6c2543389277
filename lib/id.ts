/** The characters of an identifier. `isId` refuses `.` and `..` as well. */
export const ID = /^[A-Za-z0-9._~:@-]{1,128}$/;

/** With the flag `u`, a character beyond 16 bits counts as one. */
const REQUEST_ID = /^\P{Cc}{1,128}$/u;

/** The most characters of an owner's name. */
const OWNER_LENGTH_MAX = 256;
const SUBJECT = new RegExp(`^[^]{1,${OWNER_LENGTH_MAX}}$`, "u");

/**
 * Characters that nobody sees, or takes for a plain space: names that differ in one of them look alike. Among them are
 * control and format characters, other spaces, fillers, the blank of Braille, and code points that are not characters.
 */
export const INVISIBLE =
  /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/** DynamoDB's partition keys have at most 2,048 bytes: here an owner, a separator and a request id of up to 512. */
const OWNER_BYTES_MAX = 1_535;

/** The rule of `isOwnerId` in words. */
export const OWNER_ID_RULE = `1 to ${OWNER_LENGTH_MAX} characters, none of them invisible, and no space at an end`;

/** The rule of `isStoredOwner` in words. */
export const STORED_OWNER_RULE = `1 to ${OWNER_BYTES_MAX} bytes of text`;

/** The rule of `isSubject` in words. */
export const SUBJECT_RULE = `1 to ${OWNER_LENGTH_MAX} characters of text`;

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

/** Whether a token may speak for a text: 1 to 256 characters of whatever its issuer has. */
export const isSubject = (text: string): boolean => text.isWellFormed() && SUBJECT.test(text);

/** Whether records and keys may be given to an owner of this name: a subject that looks like no other. */
export const isOwnerId = (text: string): boolean =>
  isSubject(text) && text.trim() === text && !INVISIBLE.test(text);

/** Whether an owner may have records: some are stored under names that `isOwnerId` refuses by now. */
export const isStoredOwner = (text: string): boolean =>
  text !== "" && text.isWellFormed() && Buffer.byteLength(text) <= OWNER_BYTES_MAX;
