import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { openTrades } from "../../../../../ops/import/trades/open-zip.ts";
import { zipOfAll } from "../../../../support/zip.ts";

const directory = await mkdtemp(join(tmpdir(), "open-zip-"));
afterAll(() => rm(directory, { recursive: true }));

async function textOf(archive: Buffer): Promise<string> {
  const path = join(directory, "trades.zip");
  await writeFile(path, archive);
  const source = await openTrades(path, new AbortController().signal);
  return Buffer.concat(await Readable.from(source.chunks).toArray()).toString();
}

const CSV = Buffer.from("1,2,3\n");

describe("a zip archive of trades", () => {
  test("may have beside its file what a system puts there, and may have it packed", async () => {
    const beside = { "__MACOSX/": "", "__MACOSX/._x.csv": "fork", ".DS_Store": "x", "d/Thumbs.db": "x" };
    const others = Object.fromEntries(
      Object.entries(beside).map(([name, text]) => [name, Buffer.from(text)]),
    );
    expect(await textOf(zipOfAll({ "x.csv": CSV, ...others }))).toBe("1,2,3\n");
    expect(await textOf(zipOfAll({ "x.csv.gz": gzipSync(CSV) }))).toBe("1,2,3\n");
  });

  test.each([
    ["holds 2 files", zipOfAll({ "x.csv": CSV, "y.csv": CSV })],
    ["holds 0 files", zipOfAll({ "__MACOSX/._x.csv": CSV })],
    ["its zip data is cut off or damaged", zipOfAll({ "x.csv": CSV }).subarray(0, 20)],
    ["is encrypted", zipOfAll({ "x.csv": CSV }, true)],
    ["is a spreadsheet", zipOfAll({ "[Content_Types].xml": CSV, "xl/workbook.xml": CSV })],
    ["is a zip archive", zipOfAll({ "x.zip": zipOfAll({ "x.csv": CSV }) })],
  ])("that %s is refused with what to do", async (what, archive) => {
    await expect(textOf(archive)).rejects.toThrow(what);
  });
});
