/** Letters are spelled out: with the flag that ignores case, signs beyond ASCII would match some of them. */
const UUID = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;

/**
 * The one spelling under which an order is kept: a UUID of any version (RFC 9562) in lower case, a ULID in upper case.
 * Both kinds are the same identifier in any letter case. Nothing else is an order id.
 */
export function normaliseOrderId(text: string): string | undefined {
  if (UUID.test(text)) return text.toLowerCase();
  return ULID.test(text) ? text.toUpperCase() : undefined;
}
