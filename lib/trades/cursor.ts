import { createHash } from "node:crypto";
import { Failure } from "../errors.ts";
import { DEFAULT_SPAN_MS, type Window, windowFault } from "./date-range.ts";
import { SEGMENT_SPAN_MS, SEGMENT_TRADES_MAX } from "./segment.ts";
import { INSTANT_MAX_MS, type Place } from "./trade.ts";

/** Where a listing goes on. */
export interface Continuation {
  /** The window of the first page, whatever the time is now. */
  readonly window: Window;
  /** The last trade that was given out; what follows is older. */
  readonly position: Place;
  /** The last trade of the newest segment that was not wholly given out: reading may begin there. */
  readonly resumeAt: Place;
  /** How many trades a segment gave on this page, 1 to 250: how many segments to begin the next one with. */
  readonly yield: number;
}

/**
 * A cursor is base64url of 72 bytes: version, yield, the window's ends, position and resumption (instant and id each), and
 * a checksum that binds them to the symbol. Instants are i64, big-endian. It is no secret and needs none: all that it
 * says is checked as if it stood in the query, so a forged one shows nothing that its maker could not ask for.
 */
const VERSION = 1;
const YIELD_AT = 1;
const START_AT = 2;
const END_AT = 10;
const POSITION_AT = 18;
const RESUME_AT = 42;
const CONTENT_BYTES = 66;
const CHECKSUM_BYTES = 6;
const CURSOR = /^[A-Za-z0-9_-]{96}$/;

const checksumOf = (symbol: string, content: Buffer): Buffer =>
  createHash("sha256").update(`${symbol}\n`).update(content).digest().subarray(0, CHECKSUM_BYTES);

function writePlace(content: Buffer, { tradedAt, id }: Place, at: number): void {
  content.writeBigInt64BE(BigInt(tradedAt), at);
  content.write(id, at + 8, "hex");
}

const readPlace = (content: Buffer, at: number): Place => ({
  tradedAt: Number(content.readBigInt64BE(at)),
  id: content.toString("hex", at + 8, at + 24),
});

/** The cursor of a listing of a symbol. */
export function writeCursor(symbol: string, continuation: Continuation): string {
  const { window, position, resumeAt } = continuation;
  const content = Buffer.alloc(CONTENT_BYTES);
  content.writeUInt8(VERSION);
  content.writeUInt8(continuation.yield, YIELD_AT);
  content.writeBigInt64BE(BigInt(window.startMs), START_AT);
  content.writeBigInt64BE(BigInt(window.endMs), END_AT);
  writePlace(content, position, POSITION_AT);
  writePlace(content, resumeAt, RESUME_AT);
  return Buffer.concat([content, checksumOf(symbol, content)]).toString("base64url");
}

const NOT_OURS = "is not one of this symbol; send next_cursor of the page before as it was given";

const invalidCursor = (message: string): Failure => new Failure("invalid_cursor", `cursor: ${message}.`);

/**
 * Reads a cursor that came with a symbol.
 *
 * @throws {Failure} `invalid_cursor` when it is malformed, of another symbol, or says what no query could ask for.
 */
export function readCursor(symbol: string, cursor: string): Continuation {
  const { content, checksum } = readBytes(cursor);
  if (!checksumOf(symbol, content).equals(checksum)) throw invalidCursor(NOT_OURS);
  const continuation = readContent(content);
  if (!isPlausible(continuation)) throw invalidCursor("does not belong to any range");
  return continuation;
}

/**
 * The window of a cursor that {@link readCursor} accepted.
 *
 * @throws {Failure} `invalid_cursor` when it is malformed.
 */
export const windowOfCursor = (cursor: string): Window => readContent(readBytes(cursor).content).window;

function readBytes(cursor: string): { readonly content: Buffer; readonly checksum: Buffer } {
  const bytes = Buffer.from(CURSOR.test(cursor) ? cursor : "", "base64url");
  const content = bytes.subarray(0, CONTENT_BYTES);
  if (bytes.length !== CONTENT_BYTES + CHECKSUM_BYTES || content[0] !== VERSION)
    throw invalidCursor(NOT_OURS);
  return { content, checksum: bytes.subarray(CONTENT_BYTES) };
}

const readContent = (content: Buffer): Continuation => ({
  window: {
    startMs: Number(content.readBigInt64BE(START_AT)),
    endMs: Number(content.readBigInt64BE(END_AT)),
  },
  position: readPlace(content, POSITION_AT),
  resumeAt: readPlace(content, RESUME_AT),
  yield: content.readUInt8(YIELD_AT),
});

function isPlausible({ window, position, resumeAt, yield: gave }: Continuation): boolean {
  const { startMs, endMs } = window;
  if (gave < 1 || gave > SEGMENT_TRADES_MAX) return false;
  // Dates that are left out reach a week past the ones that can be given.
  const areInstants = startMs >= -DEFAULT_SPAN_MS && endMs >= 0 && endMs <= INSTANT_MAX_MS + DEFAULT_SPAN_MS;
  const liesWithin = startMs <= position.tradedAt && position.tradedAt <= endMs && position.tradedAt >= 0;
  const resumesNear =
    startMs <= resumeAt.tradedAt && resumeAt.tradedAt <= position.tradedAt + SEGMENT_SPAN_MS;
  return (
    areInstants && windowFault(window) === undefined && liesWithin && resumesNear && resumeAt.tradedAt >= 0
  );
}

/**
 * Refuses dates that differ from the window that a cursor goes on in; a caller would take the gap for the whole truth.
 *
 * @throws {Failure} `invalid_cursor`
 */
export function requireSameDates(
  window: Window,
  dates: { readonly startMs?: number | undefined; readonly endMs?: number | undefined },
): void {
  const isSame =
    (dates.startMs ?? window.startMs) === window.startMs && (dates.endMs ?? window.endMs) === window.endMs;
  if (isSame) return;
  throw invalidCursor("belongs to another range; repeat the dates of the first page, or leave them out");
}
