import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openSource } from "../../../../ops/import/open-source.ts";
import { unpackGzip } from "../../../../ops/import/unpack-gzip.ts";
import { cases } from "../../../support/cases.ts";
import { zipOf } from "../../../support/zip.ts";

const directory = await mkdtemp(join(tmpdir(), "open-source-"));
afterAll(() => rm(directory, { recursive: true }));

async function fileWith(bytes: string | Buffer): Promise<string> {
  const path = join(directory, "records");
  await writeFile(path, bytes);
  return path;
}

async function textOf(path: string, signal = new AbortController().signal): Promise<string> {
  const source = await openSource(path, signal);
  return Buffer.concat(await Readable.from(source.chunks).toArray()).toString();
}

describe("the source of an import", () => {
  test("is unpacked when its first bytes are gzip's, whatever its name", async () => {
    const text = '{"id":"1"}\n'.repeat(50_000);
    expect(await textOf(await fileWith(text))).toBe(text);
    expect(await textOf(await fileWith(gzipSync(text)))).toBe(text);
  });

  const text = "one line\n".repeat(40_000);
  const zeros = (count: number) => Buffer.alloc(count);

  test.each([
    ["between its files", [gzipSync("one\n"), zeros(512), gzipSync("two\n")], "one\ntwo\n"],
    ["after its last file", [gzipSync("one\n"), zeros(1024)], "one\n"],
    ["for longer than a chunk", [gzipSync(text), zeros(300_000), gzipSync(text)], `${text}${text}`],
    ["between some of its files", [gzipSync("1"), gzipSync("2"), zeros(1), gzipSync("3"), zeros(7)], "123"],
    ["around a file of nothing", [zeros(0), gzipSync(""), zeros(5), gzipSync("two")], "two"],
  ] as const)("may have zeros %s, wherever its chunks are cut", async (_, parts, expected) => {
    const packed = Buffer.concat(parts);
    expect(await textOf(await fileWith(packed))).toBe(expected);
    const sizes = packed.length < 2_000 ? [1, 2, 3, 17, 512] : [4_096, 65_535, 65_536];
    for (const size of sizes) {
      async function* inChunks() {
        for (let at = 0; at < packed.length; at += size) yield packed.subarray(at, at + size);
      }
      const unpacked = await Array.fromAsync(unpackGzip(inChunks()));
      expect(Buffer.concat(unpacked).toString()).toBe(expected);
    }
  });

  test("lose no chunk, however slowly each comes and wherever it is cut", async () => {
    const packed = Buffer.concat([gzipSync("one\n"), zeros(300), gzipSync("two\n"), gzipSync("3"), zeros(9)]);
    const cuts = fc.array(fc.tuple(fc.integer({ min: 1, max: 120 }), fc.nat(12)), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(cuts, async (pieces) => {
        async function* slowly() {
          for (let [at, nth] = [0, 0]; at < packed.length; nth += 1) {
            const [size, turns] = pieces[nth % pieces.length] ?? [1, 0];
            for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
            yield packed.subarray(at, at + size);
            at += size;
          }
        }
        const unpacked = await Array.fromAsync(unpackGzip(slowly()));
        expect(Buffer.concat(unpacked).toString()).toBe("one\ntwo\n3");
      }),
      { numRuns: cases(40) },
    );
  });

  const packed = gzipSync(Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at) % 251)));

  test.each([
    ["an end that is cut off", [packed.subarray(0, -20)]],
    ["a damage in it", [packed.subarray(0, 20), zeros(500), packed.subarray(520)]],
    ["something else after it", [gzipSync("one\n"), Buffer.from("two\n")]],
    ["something else after zeros", [gzipSync("one\n"), zeros(512), Buffer.from("two\n")]],
    ["a second file that is cut off", [gzipSync("one\n"), zeros(512), gzipSync("two\n").subarray(0, 12)]],
    ["a second file that is cut off at once", [gzipSync("one\n"), zeros(3), Buffer.of(0x1f)]],
  ] as const)("with %s is an error, not an early end", async (_, parts) => {
    const file = await fileWith(Buffer.concat(parts));
    await expect(textOf(file)).rejects.toThrow(`Cannot read ${file}: its gzip data is cut off or damaged.`);
  });

  test.each(["", "1", "12"])("may be as short as %j", async (text) => {
    expect(await textOf(await fileWith(text))).toBe(text);
  });

  test("of any length is never held in memory, packed or not", async () => {
    const member = gzipSync(randomBytes(4 * 1024 * 1024));
    let heldMax = 0;
    async function* long() {
      for (let count = 0; count < 64; count += 1) {
        for (let at = 0; at < member.length; at += 65_536)
          yield Buffer.from(member.subarray(at, at + 65_536));
        heldMax = Math.max(heldMax, process.memoryUsage().arrayBuffers);
      }
    }
    const before = process.memoryUsage().arrayBuffers;
    let bytes = 0;
    for await (const chunk of unpackGzip(long())) bytes += chunk.length;
    expect(bytes).toBe(64 * 4 * 1024 * 1024);
    expect(heldMax - before).toBeLessThan(96 * 1024 * 1024);
  });

  test("tells how many of its bytes have been read, packed ones for gzip", async () => {
    const packed = gzipSync("x".repeat(1_000_000));
    const source = await openSource(await fileWith(packed), new AbortController().signal);
    expect(source.sizeBytes).toBe(packed.length);
    expect(source.readBytes()).toBe(0);
    await Readable.from(source.chunks).toArray();
    expect(source.readBytes()).toBe(packed.length);
  });

  test.each([
    ["UTF-16 text", Buffer.from("\u{feff}x", "utf16le"), "Save it as UTF-8"],
    ["UTF-16 text", Buffer.of(0xfe, 0xff, 0, 0x78), "Save it as UTF-8"],
    ["packed by Zstandard", zstdCompressSync("{}\n"), "zstd -dc FILE | "],
    ["packed by xz", Buffer.from("fd377a585a000004", "hex"), "xz -dc FILE | "],
    ["packed by LZMA", Buffer.from("5d00008000ffff", "hex"), "xz -dc FILE | "],
    ["packed by compress", Buffer.from("1f9d907b", "hex"), "gzip -dc FILE | "],
    ["an Avro file", Buffer.from("Obj\u0001\u0004"), "Write its records as NDJSON"],
    ["a PDF document", Buffer.from("%PDF-1.7\n"), "Write its records as NDJSON"],
    ["packed by bzip2", Buffer.from("BZh91AY&SY"), "bzip2 -dc FILE | "],
    ["a zip archive", zipOf("x.ndjson", Buffer.from("{}")), "Unpack it"],
    ["a spreadsheet", zipOf("[Content_Types].xml", Buffer.from("<x/>")), "Save the sheet as CSV"],
    ["a 7z archive", Buffer.from("377abcaf271c0004", "hex"), "Unpack it"],
    ["a tar archive", Buffer.concat([Buffer.alloc(257, "x"), Buffer.from("ustar\0")]), "Unpack it"],
  ])("that is %s is refused, packed once more too, with what to do", async (what, bytes, way) => {
    for (const content of [bytes, gzipSync(bytes)]) {
      const refused = expect(textOf(await fileWith(content))).rejects;
      await refused.toThrow(what);
    }
    await expect(textOf(await fileWith(bytes))).rejects.toThrow(way);
  });

  test("that does not exist, or is a directory, is named", async () => {
    await expect(textOf(join(directory, "none"))).rejects.toThrow(
      `Cannot read ${directory}/none: there is no such file.`,
    );
    await expect(textOf(directory)).rejects.toThrow(`Cannot read ${directory}: it is a directory.`);
  });

  test("ends without an error once it is aborted", async () => {
    const stop = new AbortController();
    const source = await openSource(await fileWith("x".repeat(1_000_000)), stop.signal);
    let readBytes = 0;
    for await (const chunk of source.chunks) {
      readBytes += chunk.length;
      stop.abort();
    }
    expect(readBytes).toBeGreaterThan(0);
    expect(readBytes).toBeLessThan(1_000_000);
  });
});
