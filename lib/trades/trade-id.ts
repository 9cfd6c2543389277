const OURS = /^[0-9a-f]{32}$/;
const NUMBER = /^\d{1,32}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** How an id must be written that {@link tradeIdOf} reads, so that it follows the member's name. */
export const TRADE_ID_RULE = "must be 32 lower-case hex digits, a UUID, or a number of at most 32 digits";

/**
 * A trade's id from what its source calls it. A number keeps its decimal digits, with zeros before them, so that it can
 * be read and sorts as it counts; a UUID loses its hyphens. `undefined` for anything else.
 */
export function tradeIdOf(text: string): string | undefined {
  if (OURS.test(text)) return text;
  if (NUMBER.test(text)) return text.padStart(32, "0");
  return UUID.test(text) ? text.replaceAll("-", "").toLowerCase() : undefined;
}
