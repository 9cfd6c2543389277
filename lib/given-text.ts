// Bytes that are no UTF-8 must not turn into replacement characters and be kept as if they had been sent.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The text of what somebody handed in, as a file, through a pipe or as a line: UTF-8, without a byte order mark, and without
 * the white space around it. Undefined for bytes that are no UTF-8.
 */
export function givenText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes).trim();
  } catch {
    return undefined;
  }
}
