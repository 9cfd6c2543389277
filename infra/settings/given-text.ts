// Without `fatal`, invalid UTF-8 would turn into replacement characters and be kept as if they had been sent.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The text of a given file, pipe or line: UTF-8, without a byte order mark or surrounding white space. Undefined for
 * bytes that are not UTF-8.
 */
export function givenText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes).trim();
  } catch {
    return undefined;
  }
}
