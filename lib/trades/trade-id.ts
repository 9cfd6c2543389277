const OURS = /^[0-9a-f]{32}$/;
const NUMBER = /^\d{1,32}$/;
const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** The forms of an id that {@link tradeIdOf} reads. */
export const tradeIdForms: readonly RegExp[] = [OURS, NUMBER, UUID];

/** The forms of an id that {@link tradeIdOf} reads, in words that follow the member's name. */
export const TRADE_ID_RULE = "must be 32 lower-case hex digits, a UUID, or a number of at most 32 digits";

/**
 * A trade's id from that of its source. A number keeps its decimal digits, with zeros before them, so that it stays
 * readable and sorts by value; a UUID loses its hyphens. Undefined for any other text.
 */
export function tradeIdOf(text: string): string | undefined {
  if (OURS.test(text)) return text;
  if (NUMBER.test(text)) return text.padStart(32, "0");
  return UUID.test(text) ? text.replaceAll("-", "").toLowerCase() : undefined;
}
