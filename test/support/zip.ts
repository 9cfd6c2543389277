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

const ENCRYPTED = 1;

/** A file in a zip archive: its local part, and its entry in the directory. */
function zipped(name: string, content: Buffer, offset: number, flags: number) {
  const packed = deflateRawSync(content);
  const sizes = Buffer.concat([u32(crc32(content), packed.length, content.length), u16(name.length, 0)]);
  const common = Buffer.concat([u16(VERSION, flags, DEFLATED, 0, 0), sizes]);
  const local = Buffer.concat([u32(LOCAL_HEADER), common, Buffer.from(name), packed]);
  const entry = Buffer.concat([
    u32(DIRECTORY_HEADER),
    u16(VERSION),
    common,
    u16(0, 0, 0),
    u32(0, offset),
    Buffer.from(name),
  ]);
  return { local, entry };
}

/** A zip archive (APPNOTE 6.3) that holds some files; encrypted ones only say that they are. */
export function zipOfAll(files: Readonly<Record<string, Buffer>>, isEncrypted = false): Buffer {
  let locals = Buffer.alloc(0);
  let entries = Buffer.alloc(0);
  for (const [name, content] of Object.entries(files)) {
    const { local, entry } = zipped(name, content, locals.length, isEncrypted ? ENCRYPTED : 0);
    locals = Buffer.concat([locals, local]);
    entries = Buffer.concat([entries, entry]);
  }
  const count = Object.keys(files).length;
  const end = [u32(DIRECTORY_END), u16(0, 0, count, count), u32(entries.length, locals.length), u16(0)];
  return Buffer.concat([locals, entries, ...end]);
}

/** A zip archive that holds one file. */
export const zipOf = (name: string, content: Buffer): Buffer => zipOfAll({ [name]: content });
