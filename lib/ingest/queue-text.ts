/**
 * The characters that SQS takes neither in the body of a message nor in the texts of its attributes: all but those of XML 1.0.
 * Halves of surrogate pairs are among them.
 */
const STRANGE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const EACH_STRANGE = new RegExp(STRANGE, "gu");

/** Whether SQS takes a text, as a body or as an attribute. */
export const isQueueText = (text: string): boolean => !STRANGE.test(text);

const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);

/** A text with each strange character spelled out, as `printable` does it. */
export const queueText = (text: string): string =>
  text.replace(EACH_STRANGE, (character) => `\\u{${codeOf(character)}}`);

/** JSON of the same value that SQS takes: in valid JSON, strange characters stand in strings alone. */
export const queueJson = (json: string): string =>
  json.replace(EACH_STRANGE, (character) => `\\u${codeOf(character).padStart(4, "0")}`);
