import type { MessageHead } from "./message.ts";
import { queueJson } from "./queue-text.ts";

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
  return queueJson(`${head},${body}}`);
}
