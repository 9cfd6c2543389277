/** A value of a part of a record that its owner shapes. Its numbers are text, with the digits that were sent. */
export type JsonValue =
  | string
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** A string of JSON, or a number. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A document twice: with JavaScript's numbers, and with each number as text of the digits that were sent. */
export interface ParsedTwice {
  readonly plain: unknown;
  readonly exact: unknown;
}

/**
 * Parses JSON and keeps the digits of its numbers. A reviver that sees the source of a number is younger than the
 * oldest platforms that this package runs on, so the numbers are put in quotes before the text is parsed.
 *
 * @throws {SyntaxError} for a text that is not JSON.
 */
export function parseTwice(text: string): ParsedTwice {
  // The text as it came is parsed first: quotes would make JSON of {1:2}.
  const plain: unknown = JSON.parse(text);
  const quoted = text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`));
  return { plain, exact: JSON.parse(quoted) };
}
