import { createHash } from "node:crypto";
import { CLOCKS_APART_MAX_MS } from "../clock.ts";
import { Failure } from "../errors.ts";
import { DEFAULT_SPAN_MS, type Window, windowViolation } from "./date-range.ts";
import { SEGMENT_SPAN_MS, SEGMENT_TRADES_MAX } from "./segment.ts";
import { INSTANT_MAX_MS, isInstant, type Place } from "./trade.ts";

/** Where a listing continues. */
export interface Continuation {
  /** The window of the first page, however late the next page is requested. */
  readonly window: Window;
  /** When the first page was requested, by the server's clock (epoch ms). Trades published by then are shown. */
  readonly begunAt: number;
  /** The newest place that has not been judged for good: its trade, or an older one, comes next. */
  readonly position: Place;
  /** The last trade of the newest segment that may hold the next trade: reading may begin there. */
  readonly resumeAt: Place;
  /** Trades that a segment gave on this page, 1 to 250. They decide how many segments the next page begins with. */
  readonly yield: number;
}

/**
 * A cursor is base64url of 69 bytes: version, yield, when the listing began, the window's end and length, position and
 * resumption (instant and id each), and a checksum that binds them to the symbol. The two instants are counted back
 * from the last one that is read for the window. A cursor need not be secret: its content is checked as if it stood in
 * the query, so a forged cursor shows nothing that its maker could not ask for.
 */
const VERSION = 2;
const YIELD_AT = 1;
const BEGUN_AT = 2;
const END_AT = 10;
const SPAN_AT = 18;
const POSITION_AT = 22;
const RESUME_AT = 42;
const CONTENT_BYTES = 62;
const CHECKSUM_BYTES = 7;
const CURSOR = /^[A-Za-z0-9_-]{92}$/;

const checksumOf = (symbol: string, content: Buffer): Buffer =>
  createHash("sha256").update(`${symbol}\n`).update(content).digest().subarray(0, CHECKSUM_BYTES);

/** The last instant at which a segment with a trade of the window can end. */
const lastMsOf = ({ endMs }: Window): number => endMs + SEGMENT_SPAN_MS;

function writePlace(content: Buffer, { tradedAt, id }: Place, window: Window, at: number): void {
  content.writeUInt32BE(lastMsOf(window) - tradedAt, at);
  content.write(id, at + 4, "hex");
}

const readPlace = (content: Buffer, window: Window, at: number): Place => ({
  tradedAt: lastMsOf(window) - content.readUInt32BE(at),
  id: content.toString("hex", at + 4, at + 20),
});

/**
 * The cursor of a listing of a symbol.
 *
 * @example
 * const place = { tradedAt: 60_000, id: "0123456789abcdef0123456789abcdef" };
 * const listing = { window: { startMs: 0, endMs: 86_400_000 }, begunAt: 90_000_000, yield: 250 };
 * const cursor = writeCursor("BTC-USD", { ...listing, position: place, resumeAt: place });
 * readCursor("BTC-USD", cursor, 90_001_000).position // → place
 */
export function writeCursor(symbol: string, continuation: Continuation): string {
  const { window, position, resumeAt } = continuation;
  const content = Buffer.alloc(CONTENT_BYTES);
  content.writeUInt8(VERSION);
  content.writeUInt8(continuation.yield, YIELD_AT);
  content.writeBigInt64BE(BigInt(continuation.begunAt), BEGUN_AT);
  content.writeBigInt64BE(BigInt(window.endMs), END_AT);
  content.writeUInt32BE(window.endMs - window.startMs, SPAN_AT);
  writePlace(content, position, window, POSITION_AT);
  writePlace(content, resumeAt, window, RESUME_AT);
  return Buffer.concat([content, checksumOf(symbol, content)]).toString("base64url");
}

const NOT_OURS = "does not belong to this symbol; send next_cursor of the previous page unchanged";

const invalidCursor = (message: string): Failure => new Failure("invalid_cursor", `cursor: ${message}.`);

/**
 * Reads a cursor that came with a symbol.
 *
 * @param now by the server's clock, epoch milliseconds.
 * @throws {Failure} `invalid_cursor` when it is malformed, belongs to another symbol, says what no query could ask for,
 * or comes from the future.
 */
export function readCursor(symbol: string, cursor: string, now: number): Continuation {
  const { content, checksum } = readBytes(cursor);
  if (!checksumOf(symbol, content).equals(checksum)) throw invalidCursor(NOT_OURS);
  const continuation = readContent(content);
  if (!isPlausible(continuation)) throw invalidCursor("does not belong to any range");
  if (continuation.begunAt > now + CLOCKS_APART_MAX_MS)
    throw invalidCursor("was made by a clock that is ahead of this one; begin the listing again");
  return continuation;
}

function readBytes(cursor: string): { readonly content: Buffer; readonly checksum: Buffer } {
  const bytes = Buffer.from(CURSOR.test(cursor) ? cursor : "", "base64url");
  const content = bytes.subarray(0, CONTENT_BYTES);
  if (bytes.length !== CONTENT_BYTES + CHECKSUM_BYTES || content[0] !== VERSION)
    throw invalidCursor(NOT_OURS);
  return { content, checksum: bytes.subarray(CONTENT_BYTES) };
}

function readWindow(content: Buffer): Window {
  const endMs = Number(content.readBigInt64BE(END_AT));
  return { startMs: endMs - content.readUInt32BE(SPAN_AT), endMs };
}

function readContent(content: Buffer): Continuation {
  const window = readWindow(content);
  return {
    window,
    begunAt: Number(content.readBigInt64BE(BEGUN_AT)),
    position: readPlace(content, window, POSITION_AT),
    resumeAt: readPlace(content, window, RESUME_AT),
    yield: content.readUInt8(YIELD_AT),
  };
}

function isPlausible({ window, begunAt, position, resumeAt, yield: gave }: Continuation): boolean {
  const { startMs, endMs } = window;
  if (gave < 1 || gave > SEGMENT_TRADES_MAX || !isInstant(begunAt)) return false;
  // A range with only one date given reaches up to a week past the dates that can be given.
  const areInstants = startMs >= -DEFAULT_SPAN_MS && endMs >= 0 && endMs <= INSTANT_MAX_MS + DEFAULT_SPAN_MS;
  const earliest = Math.max(0, startMs);
  const liesWithin = earliest <= position.tradedAt && position.tradedAt <= endMs;
  const resumesNear =
    earliest <= resumeAt.tradedAt && resumeAt.tradedAt <= position.tradedAt + SEGMENT_SPAN_MS;
  return areInstants && windowViolation(window) === undefined && liesWithin && resumesNear;
}

/**
 * Refuses dates that differ from the cursor's window, because the caller would not notice the gap in the listing.
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
