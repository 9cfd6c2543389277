import { DocumentViolation, parseExactJson } from "../../lib/json/exact-json.ts";

/** A JSON text on one line, with everything else as it was sent: a line break can only stand between values. */
export const onOneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, " ").trim();

/** A JSON document over several lines, with the digits of its numbers; unchanged if it cannot be read. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseExactJson(text), undefined, 2);
  } catch (error) {
    if (error instanceof DocumentViolation) return text;
    throw error;
  }
}
