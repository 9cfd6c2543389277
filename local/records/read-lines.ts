import { givenText } from "../../infra/settings/given-text.ts";
import { TEXT_BYTES_MAX } from "../../lib/json/exact-json.ts";

/** The longest line that is read, in bytes: that of the longest document. */
export const LINE_BYTES_MAX = TEXT_BYTES_MAX;

/**
 * One line that is not blank, with its number in the file (the first is 1), and its text or why it is refused.
 * `isUnended` marks the last line of a file of several lines when no newline follows it: the file may be cut off.
 */
export type Line =
  | { readonly number: number; readonly text: string; readonly isUnended?: true }
  | { readonly number: number; readonly refusal: string };

const NEWLINE = 0x0a;

function decodeLine(number: number, bytes: Buffer): Line | undefined {
  const text = givenText(bytes);
  if (text === undefined) return { number, refusal: "the line is not UTF-8" };
  return text === "" ? undefined : { number, text };
}

/** Gathers the pieces of one line, and drops them once the line is too long. */
class GatheredLine {
  #pieces: Buffer[] = [];
  #lengthBytes = 0;

  add(piece: Buffer): void {
    this.#lengthBytes += piece.length;
    if (this.#lengthBytes > LINE_BYTES_MAX) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  finish(number: number): Line | undefined {
    const line =
      this.#lengthBytes > LINE_BYTES_MAX
        ? { number, refusal: `the line is longer than ${LINE_BYTES_MAX} bytes` }
        : decodeLine(number, Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#lengthBytes = 0;
    return line;
  }
}

/**
 * The lines of a stream of bytes, in order and in constant memory: at most one chunk and {@link LINE_BYTES_MAX} bytes
 * are held, whatever the length of the stream or of a line. A line ends with LF, CRLF or the end of the stream. Blank
 * lines are counted and skipped. A byte order mark before a line, as joined files have, is removed. A line that is too
 * long or not UTF-8 has a refusal in place of its text.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void, undefined> {
  const gathered = new GatheredLine();
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      gathered.add(chunk.subarray(start, end));
      const line = gathered.finish(number);
      if (line !== undefined) yield line;
      number += 1;
      start = end + 1;
    }
    gathered.add(chunk.subarray(start));
  }
  const last = gathered.finish(number);
  if (last !== undefined) yield number > 1 && "text" in last ? { ...last, isUnended: true } : last;
}
