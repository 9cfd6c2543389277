import { crc32, deflateRawSync } from "node:zlib";

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const VERSION = 20;
const DEFLATED = 8;

const u16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt16LE(value, 2 * at);
  });
  return bytes;
};
const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt32LE(value, 4 * at);
  });
  return bytes;
};

/** A zip archive (APPNOTE 6.3) that holds one file. */
export function zipOf(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const sizes = Buffer.concat([u32(crc32(content), packed.length, content.length), u16(name.length, 0)]);
  const common = Buffer.concat([u16(VERSION, 0, DEFLATED, 0, 0), sizes]);
  const local = Buffer.concat([u32(LOCAL_HEADER), common, Buffer.from(name), packed]);
  const entry = Buffer.concat([
    u32(DIRECTORY_HEADER),
    u16(VERSION),
    common,
    u16(0, 0, 0),
    u32(0, 0),
    Buffer.from(name),
  ]);
  const end = Buffer.concat([u32(DIRECTORY_END), u16(0, 0, 1, 1), u32(entry.length, local.length), u16(0)]);
  return Buffer.concat([local, entry, end]);
}
