import type { MessageHead } from "./message.ts";

/** Two code points that JSON may hold and no message of SQS, both only ever inside a string. */
const NO_CHARACTERS = /[\ufffe\uffff]/g;

/**
 * The body of a message. The texts of the records are put in as they are; it has `record` for a single one.
 *
 * @param texts valid JSON, at least one.
 */
export function writeMessage(
  { kind, owner, revision: number }: MessageHead,
  texts: readonly string[],
): string {
  const head = JSON.stringify({ kind, owner, revision: number }).slice(0, -1);
  const [only] = texts;
  const body = texts.length === 1 ? `"record":${only}` : `"records":[${texts.join(",")}]`;
  return `${head},${body}}`.replace(NO_CHARACTERS, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
}
