/** Both cases are spelled out: with the flags `i` and `u`, signs beyond ASCII such as the Kelvin sign would match. */
export const UUID = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;

/**
 * The one spelling under which an order is kept: a UUID of any version (RFC 9562) in lower case, a ULID in upper case.
 * Both kinds are the same identifier in any letter case. Undefined for any other text.
 */
export function normaliseOrderId(text: string): string | undefined {
  if (UUID.test(text)) return text.toLowerCase();
  return ULID.test(text) ? text.toUpperCase() : undefined;
}
