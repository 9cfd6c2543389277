import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { ownMember } from "../../lib/own-member.ts";
import { codeOf, OperatorError } from "../terminal/operator-error.ts";

import { unpackGzip } from "./unpack-gzip.ts";

/** What is imported: its plain bytes, and how far the reading of its file has come. */
export interface Source {
  /** How messages name it: the path as it was given, or "standard input". */
  readonly name: string;
  /**
   * The text's bytes, unpacked when they are gzip. Reading them throws an {@link OperatorError} when the source cannot
   * be read on, and simply stops, in the middle of a line perhaps, once the signal is aborted.
   */
  readonly chunks: AsyncIterable<Buffer>;
  /** The file's size in bytes; unknown for standard input. */
  readonly sizeBytes: number | undefined;
  /** How many bytes have been read so far; packed ones, when the source is gzip. */
  readonly readBytes: () => number;
}

const STANDARD_INPUT = "-";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a directory",
};

const startsWith = (head: Buffer, ...bytes: readonly number[]) =>
  bytes.every((byte, at) => head[at] === byte);
const isGzip = (head: Buffer) => startsWith(head, 0x1f, 0x8b);
const isUtf16 = (head: Buffer) => startsWith(head, 0xff, 0xfe) || startsWith(head, 0xfe, 0xff);

function unreadable(name: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const code = codeOf(error);
  const problem = code.startsWith("Z_")
    ? "its gzip data is cut off or damaged"
    : (ownMember(PROBLEMS, code) ?? code);
  return new OperatorError(`Cannot read ${name}: ${problem}.`, error);
}

/** The first two bytes of a stream, or as many as it has; the magic numbers that matter are that long. */
async function readHead(bytes: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await bytes.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* unpackBytes(name: string, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const head = await readHead(bytes);
  if (isUtf16(head)) throw new OperatorError(`${name} is UTF-16 text. Save it as UTF-8 and import it again.`);
  const whole = (async function* () {
    yield head;
    yield* bytes;
  })();
  if (!isGzip(head)) {
    yield* whole;
    return;
  }
  yield* unpackGzip(whole);
}

/** The bytes of a stream, and nothing more once the signal is aborted, whatever the stream was waiting for. */
async function* readUntil(
  signal: AbortSignal,
  name: string,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    if (!signal.aborted) throw unreadable(name, error);
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new OperatorError(`Cannot read ${path}: it is a directory.`);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Opens a file, or standard input for `-`. Whether it is gzip is seen from its first bytes, never from its name.
 * Throws an {@link OperatorError} that says what to do when there is no such file or it is UTF-16.
 */
export async function openSource(path: string, signal: AbortSignal): Promise<Source> {
  const isStandardInput = path === STANDARD_INPUT;
  const name = isStandardInput ? "standard input" : path;
  const sizeBytes = isStandardInput ? undefined : await sizeOf(path);
  const stream: Readable = isStandardInput ? process.stdin : createReadStream(path);
  addAbortSignal(signal, stream);
  let readBytes = 0;
  const counted = (async function* () {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      readBytes += chunk.length;
      yield chunk;
    }
  })();
  return {
    name,
    sizeBytes,
    readBytes: () => readBytes,
    chunks: readUntil(signal, name, unpackBytes(name, counted)),
  };
}
