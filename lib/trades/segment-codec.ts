import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LoggableError } from "../errors.ts";
import { ByteReader, ByteWriter, unzigzag, zigzag } from "./bytes.ts";
import { readDecimals, writeDecimals } from "./decimal-column.ts";
import { FIRST_REVISION, SEGMENT_SPAN_MS, SEGMENT_TRADES_MAX, type Segment } from "./segment.ts";
import { areFlags, flagsOf, idAt, type SegmentColumns } from "./segment-columns.ts";
import { INSTANT_MAX_MS, isInstant } from "./trade.ts";

/**
 * The payload of a segment's item, version 1:
 *
 *     version (1 byte) · form of the ids (1 byte: 0 plain, 1 deflated) · length of the deflated columns (2 bytes)
 *     · columns, raw-deflated · ids, 16 bytes each, plain or raw-deflated
 *
 * Columns, all numbers LEB128: revision, count, first `tdt` and steps from one to the next, `pdt − tdt` (zigzag),
 * prices, quantities (see `decimal-column.ts`), and a byte of side and withdrawal for each trade. The ids stand apart
 * because most are random: deflated together, the columns would be coded for random bytes.
 */
const VERSION = 1;
const HEADER_BYTES = 4;
const ID_BYTES = 16;
const IDS_PLAIN = 0;
const IDS_DEFLATED = 1;
/** More bytes than the columns of {@link SEGMENT_TRADES_MAX} trades can have; a decoder unpacks no more. */
const COLUMNS_BYTES_MAX = 24 * 1024;

/** The size that most columns fit into: the decompressor allocates this much memory at a time. */
const INFLATE_CHUNK_BYTES = 4 * 1024;

/** The compressor allocates this much memory at a time, which is more than most segments take. */
const DEFLATE = { level: 9, chunkSize: 4 * 1024 } as const;

export interface EncodedSegment {
  readonly payload: Buffer;
  /** SHA-256 of the unpacked content: the same trades have the same digest, whatever the compressor does. */
  readonly digest: Buffer;
}

/** Packs a segment whose trades keep their rules (`tradeViolation`) and their order (`cutSegments`). */
export function encodeSegment(segment: Segment): EncodedSegment {
  const columns = writeColumns(segment);
  const ids = Buffer.from(segment.trades.map((trade) => trade.id).join(""), "hex");
  const packedColumns = deflateRawSync(columns, DEFLATE);
  const packedIds = deflateRawSync(ids, DEFLATE);
  const idsForm = packedIds.length < ids.length ? IDS_DEFLATED : IDS_PLAIN;
  const header = Buffer.from([VERSION, idsForm, packedColumns.length >> 8, packedColumns.length & 0xff]);
  return {
    payload: Buffer.concat([header, packedColumns, idsForm === IDS_DEFLATED ? packedIds : ids]),
    digest: digestOf(columns, ids),
  };
}

const digestOf = (columns: Buffer, ids: Buffer): Buffer =>
  createHash("sha256").update(columns).update(ids).digest();

function writeColumns({ revision, trades }: Segment): Buffer {
  const writer = new ByteWriter();
  writer.number(revision);
  writer.number(trades.length);
  let before = 0;
  for (const { tradedAt } of trades) {
    writer.number(tradedAt - before);
    before = tradedAt;
  }
  for (const trade of trades) writer.number(zigzag(trade.publishedAt - trade.tradedAt));
  writeDecimals(
    writer,
    trades.map((trade) => trade.price),
    "steps",
  );
  writeDecimals(
    writer,
    trades.map((trade) => trade.quantity),
    "whole",
  );
  for (const trade of trades) writer.byte(flagsOf(trade.side, trade.withdrawn === true));
  return writer.bytes();
}

/**
 * Unpacks a payload into columns. Every length is bounded before memory is taken for it, and the result keeps a
 * segment's promises: 1 to 250 trades in ascending order, within its span.
 *
 * @param digestStart the beginning that the digest of the content must have.
 * @throws {Error} when the payload is damaged or of an unknown version.
 */
export function decodeSegment(payload: Buffer, digestStart: Buffer = Buffer.alloc(0)): SegmentColumns {
  try {
    return readPayload(payload, digestStart);
  } catch (cause) {
    throw new LoggableError("A stored segment of trades is damaged.", { cause });
  }
}

function readPayload(payload: Buffer, digestStart: Buffer): SegmentColumns {
  if (payload.length < HEADER_BYTES) throw new RangeError("The payload is too short.");
  if (payload[0] !== VERSION) throw new RangeError(`Version ${payload[0]} is not known.`);
  const idsAt = HEADER_BYTES + payload.readUInt16BE(2);
  if (idsAt > payload.length) throw new RangeError("The columns end early.");
  const packed = payload.subarray(HEADER_BYTES, idsAt);
  const bytes = inflateRawSync(packed, {
    maxOutputLength: COLUMNS_BYTES_MAX,
    chunkSize: INFLATE_CHUNK_BYTES,
  });
  const columns = readColumns(bytes);
  const ids = readIds(payload.subarray(idsAt), payload[1] ?? IDS_PLAIN, columns.count);
  const digest = digestOf(bytes, ids).subarray(0, digestStart.length);
  if (!digest.equals(digestStart)) throw new RangeError("The content is not the one that was written.");
  const segment = { ...columns, ids: ids.toString("hex") };
  requireOrder(segment);
  return segment;
}

function readIds(stored: Buffer, form: number, count: number): Buffer {
  if (form > IDS_DEFLATED) throw new RangeError("The form of the ids is not known.");
  const lengthBytes = count * ID_BYTES;
  const ids = form === IDS_PLAIN ? stored : inflateRawSync(stored, { maxOutputLength: lengthBytes });
  if (ids.length !== lengthBytes) throw new RangeError("There is not one id for each trade.");
  return ids;
}

function readColumns(bytes: Buffer): Omit<SegmentColumns, "ids"> {
  const reader = new ByteReader(bytes);
  const revision = reader.number();
  const count = reader.number();
  if (count < 1 || count > SEGMENT_TRADES_MAX) throw new RangeError("The number of trades is out of bounds.");
  const tradedAt = new Float64Array(count);
  for (let row = 0; row < count; row += 1) tradedAt[row] = (tradedAt[row - 1] ?? 0) + reader.number();
  const publishedAt = tradedAt.map((instant) => instant + unzigzag(reader.number()));
  const prices = readDecimals(reader, count, "steps");
  const quantities = readDecimals(reader, count, "whole");
  const flags = Uint8Array.from({ length: count }, () => reader.byte());
  if (!reader.isAtEnd) throw new RangeError("The columns do not end with the last trade.");
  if (!flags.every(areFlags)) throw new RangeError("A trade's side is not known.");
  if (!publishedAt.every(isInstant)) throw new RangeError("A publication is not an instant.");
  return { revision, count, tradedAt, publishedAt, prices, quantities, flags };
}

function requireOrder(segment: SegmentColumns): void {
  const { tradedAt, count, revision } = segment;
  const [first = 0, last = 0] = [tradedAt[0], tradedAt[count - 1]];
  if (revision < FIRST_REVISION || last > INSTANT_MAX_MS) throw new RangeError("A number is out of bounds.");
  if (last - first > SEGMENT_SPAN_MS) throw new RangeError("The trades lie too far apart.");
  for (let row = 1; row < count; row += 1) {
    const isSameInstant = tradedAt[row] === tradedAt[row - 1];
    if (isSameInstant && idAt(segment, row) <= idAt(segment, row - 1)) throw new RangeError("Out of order.");
  }
}
