/**
 * Reads base64url without padding (RFC 4648 section 5) in its one canonical spelling: unused bits must be zero (section
 * 3.5). Undefined for any other text; the empty text has no bytes.
 */
export function readBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
