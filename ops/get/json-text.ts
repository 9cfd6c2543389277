import { DocumentViolation, parseExactJson } from "../../lib/json/exact-json.ts";

/** A string, or a sign that begins, ends or separates values. Everything else is within a number, a word or a gap. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;

/**
 * The text of each element of a JSON array, as it stands there and on one line. A parser would lose digits.
 *
 * @param array the text of an array that a parser has accepted.
 */
export function elementsOf(array: string): readonly string[] {
  const elements: string[] = [];
  let depth = 0;
  let from = 0;
  const end = (at: number): void => {
    // Within JSON, a line break can only stand between values.
    const element = array
      .slice(from, at)
      .replaceAll(/[\r\n]+/g, " ")
      .trim();
    if (element !== "") elements.push(element);
    from = at + 1;
  };
  for (const { 0: token, index } of array.matchAll(TOKEN)) {
    if (token === "]" || token === "}") depth -= 1;
    if (depth === 0 && token === "]") end(index);
    if (depth === 1 && token === ",") end(index);
    if (depth === 0 && token === "[") from = index + 1;
    if (token === "[" || token === "{") depth += 1;
  }
  return elements;
}

/** A JSON document over several lines, with the digits of its numbers; unchanged if it cannot be read. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseExactJson(text), undefined, 2);
  } catch (error) {
    if (error instanceof DocumentViolation) return text;
    throw error;
  }
}
