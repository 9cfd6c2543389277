import type { Field } from "./message.ts";

/** An answer as it stood on the wire. */
export interface Answer {
  readonly status: number;
  /** Every header line, with its name as it was spelt. */
  readonly fields: readonly Field[];
  /** The body without its framing, in its coding. */
  readonly body: Buffer;
  /** Whether the body is text in UTF-8 without its coding, whatever the header says. */
  readonly isDecoded?: true;
}

/** A status line and the header lines below it. */
const HEAD = /HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/y;

/**
 * Reads the first final answer to a request of a method. Interim answers are skipped (RFC 9110, section 15.2).
 *
 * @param hasEnded whether no more bytes will come.
 * @returns undefined while the answer is not complete, and for bytes that are not an answer.
 */
export function readAnswer(bytes: Buffer, method: string, hasEnded: boolean): Answer | undefined {
  const final = withoutInterim(bytes);
  const head = headAt(final.toString("latin1"), 0);
  if (head === undefined) return undefined;
  const { status, lines, end } = head;
  const fields = lines.split("\r\n").filter(Boolean).map(readField);
  const hasNone = method === "HEAD" || status === 101 || status === 204 || status === 304;
  const body = hasNone ? Buffer.alloc(0) : readBody(final.subarray(end), fields, hasEnded);
  return body === undefined ? undefined : { status, fields, body };
}

/** The bytes after the whole interim answers at the beginning, of which there may be any number. */
export function withoutInterim(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  for (let at = 0; ; ) {
    const head = headAt(text, at);
    const isInterim = head !== undefined && head.status >= 100 && head.status < 200 && head.status !== 101;
    if (!isInterim) return bytes.subarray(at);
    at = head.end;
  }
}

/** The head that begins at a place; undefined where none does, or only a part of one. */
function headAt(text: string, at: number) {
  HEAD.lastIndex = at;
  const [whole, code = "", lines = ""] = HEAD.exec(text) ?? [];
  return whole === undefined ? undefined : { status: Number(code), lines, end: at + whole.length };
}

function readField(line: string): Field {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** The value of a header, with all its lines joined; undefined without one. */
export function fieldOf({ fields }: Pick<Answer, "fields">, name: string): string | undefined {
  const values = fields.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
}

/** The end of the body is that of its chunks, its length, or the end of the connection (RFC 9112, section 6.3). */
function readBody(rest: Buffer, fields: readonly Field[], hasEnded: boolean): Buffer | undefined {
  if (fieldOf({ fields }, "transfer-encoding") !== undefined) return readChunks(rest);
  const length = fieldOf({ fields }, "content-length");
  if (length === undefined) return hasEnded ? rest : undefined;
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

function readChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const begin = lineEnd + 2;
    if (size === 0) return Buffer.concat(chunks);
    if (!(size > 0) || bytes.length < begin + size + 2) return undefined;
    chunks.push(bytes.subarray(begin, begin + size));
    at = begin + size + 2;
  }
}
