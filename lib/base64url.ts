/**
 * The bytes that a text is the base64url of (RFC 4648 section 5, without padding), in the one spelling that they have: the
 * bits that are left over must be zero (section 3.5). Undefined for every other text; the empty one has no bytes.
 */
export function readBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
