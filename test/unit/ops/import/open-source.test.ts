import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSource } from "../../../../ops/import/open-source.ts";
import { OperatorError } from "../../../../ops/operator-error.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "open-source-"));
});
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

  test("may be several gzip files one after the other", async () => {
    const packed = Buffer.concat([gzipSync("one\n"), gzipSync("two\n")]);
    expect(await textOf(await fileWith(packed))).toBe("one\ntwo\n");
  });

  test.each(["", "1", "12"])("may be as short as %j", async (text) => {
    expect(await textOf(await fileWith(text))).toBe(text);
  });

  test("tells how many of its bytes have been read, packed ones for gzip", async () => {
    const packed = gzipSync("x".repeat(1_000_000));
    const source = await openSource(await fileWith(packed), new AbortController().signal);
    expect(source.sizeBytes).toBe(packed.length);
    expect(source.readBytes()).toBe(0);
    await Readable.from(source.chunks).toArray();
    expect(source.readBytes()).toBe(packed.length);
  });

  test("that is cut off or damaged is an error, not an early end", async () => {
    const packed = gzipSync(Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at) % 251)));
    const cutOff = await fileWith(packed.subarray(0, packed.length - 20));
    await expect(textOf(cutOff)).rejects.toThrow(
      `Cannot read ${cutOff}: its gzip data is cut off or damaged.`,
    );
    const damaged = await fileWith(
      Buffer.concat([packed.subarray(0, 20), Buffer.alloc(500), packed.subarray(520)]),
    );
    await expect(textOf(damaged)).rejects.toThrow(OperatorError);
  });

  test.each([Buffer.from("\u{feff}x", "utf16le"), Buffer.of(0xfe, 0xff, 0, 0x78)])(
    "in UTF-16 is refused with what to do",
    async (bytes) => {
      await expect(textOf(await fileWith(bytes))).rejects.toThrow("Save it as UTF-8");
    },
  );

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
