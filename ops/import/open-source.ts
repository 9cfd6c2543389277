import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { codeOf, fileProblem, OperatorError } from "../../local/process/operator-error.ts";
import { HEAD_BYTES, requireText } from "./file-form.ts";
import { unpackGzip } from "./unpack-gzip.ts";

/** A file that is imported: its unpacked bytes, and how far it has been read. */
export interface Source {
  /** The name in messages: the path as it was given, or "standard input". */
  readonly name: string;
  /**
   * The unpacked bytes. Reading throws an {@link OperatorError} when the source cannot be read. Once the signal is
   * aborted the bytes end, perhaps in the middle of a line.
   */
  readonly chunks: AsyncIterable<Buffer>;
  /** The size in bytes: of the file, or of what a zip archive unpacks to. Undefined for standard input. */
  readonly sizeBytes: number | undefined;
  /** The bytes read so far, counted as for `sizeBytes`: before unpacking for gzip, after it for zip. */
  readonly readBytes: () => number;
}

const STANDARD_INPUT = "-";

const isGzip = (head: Buffer) => head[0] === 0x1f && head[1] === 0x8b;

function unreadable(name: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const code = codeOf(error);
  const problem = code.startsWith("Z_") ? "its gzip data is cut off or damaged" : fileProblem(error);
  return new OperatorError(`Cannot read ${name}: ${problem}.`, error);
}

/** The beginning of a stream: its first bytes and all that came with them. */
async function readHead(bytes: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const next = await bytes.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

/**
 * The bytes of a file, unpacked where they are gzip.
 *
 * @throws {OperatorError} for a file of another form, when the first bytes are read.
 */
export async function* unpackBytes(name: string, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const head = await readHead(bytes);
  requireText(name, head);
  const whole = (async function* () {
    yield head;
    yield* bytes;
  })();
  yield* isGzip(head) ? unpackBytes(name, unpackGzip(whole)) : whole;
}

/** The bytes of a stream, which end once the signal is aborted, even while the stream is waiting. */
export async function* readUntil(
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
 * Opens a file, or standard input for `-`. Its first bytes tell whether it is gzip; its name does not count.
 *
 * @throws {OperatorError} when the file cannot be opened; reading the bytes throws one for UTF-16.
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
