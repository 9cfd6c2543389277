/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, which neither null nor an array is. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined for any other text. The parser's error is dropped, because it quotes the text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
