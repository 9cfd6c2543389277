import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { collectGarbage } from "../../../../local/process/collect-garbage.ts";
import { LINE_BYTES_MAX, type Line, readLines } from "../../../../local/records/read-lines.ts";

const linesOf = (...chunks: readonly (string | Buffer)[]): Promise<Line[]> =>
  Readable.from(readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))).toArray();

const textsOf = async (...chunks: readonly (string | Buffer)[]) =>
  (await linesOf(...chunks)).map((line) => ("text" in line ? line.text : line.refusal));

describe("lines of a file", () => {
  test("end with LF or CRLF, and the last one with the file", async () => {
    expect(await textsOf("one\ntwo\r\nthree")).toEqual(["one", "two", "three"]);
    expect(await textsOf("one\ntwo\r\n")).toEqual(["one", "two"]);
  });

  test("keep their numbers when blank ones are skipped", async () => {
    expect(await linesOf("\n\none\n  \r\n\ttwo\n")).toEqual([
      { number: 3, text: "one" },
      { number: 5, text: "two" },
    ]);
  });

  test("are whole wherever the chunks are cut, even within a character or a CRLF", async () => {
    const text = Buffer.from('{"n":"Zoë"}\r\n{"n":"€ 5"}\n{"n":"🏦"}\n');
    const expected = ['{"n":"Zoë"}', '{"n":"€ 5"}', '{"n":"🏦"}'];
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(await textsOf(text.subarray(0, cut), text.subarray(cut))).toEqual(expected);
    }
    expect(await textsOf(...Array.from(text, (byte) => Buffer.of(byte)))).toEqual(expected);
  });

  test("lose a byte order mark, also where files were joined, and no other mark", async () => {
    expect(await textsOf("\u{feff}one\n\u{2060}two\n\u{feff}three\n")).toEqual([
      "one",
      "\u{2060}two",
      "three",
    ]);
    expect(await textsOf(Buffer.of(0xef), Buffer.of(0xbb), Buffer.of(0xbf, 0x31, 0x0a))).toEqual(["1"]);
  });

  test("mark a last one without its newline, in a file that has newlines", async () => {
    expect(await linesOf("one\ntwo")).toEqual([
      { number: 1, text: "one" },
      { number: 2, text: "two", isUnended: true },
    ]);
    expect(await linesOf("one\ntw", "o")).toContainEqual({ number: 2, text: "two", isUnended: true });
    expect(await linesOf("one\ntwo\n")).toContainEqual({ number: 2, text: "two" });
    expect(await linesOf("one\n", "two\r\n")).toContainEqual({ number: 2, text: "two" });
    expect(await linesOf("one")).toEqual([{ number: 1, text: "one" }]);
    expect(await linesOf("one\n  ")).toEqual([{ number: 1, text: "one" }]);
  });

  test("of an empty file are none", async () => {
    expect(await linesOf()).toEqual([]);
    expect(await linesOf("\n\n")).toEqual([]);
  });

  test("of exactly the longest length are read, and one byte more is refused with its number", async () => {
    const longest = "x".repeat(LINE_BYTES_MAX);
    const lines = await linesOf(`${longest}\n${longest}x\nnext\n`);
    expect(lines[0]).toEqual({ number: 1, text: longest });
    expect(lines[1]).toEqual({ number: 2, refusal: `the line is longer than ${LINE_BYTES_MAX} bytes` });
    expect(lines[2]).toEqual({ number: 3, text: "next" });
  });

  test("that are not UTF-8 are refused, never repaired", async () => {
    const lines = await linesOf(Buffer.from([0x22, 0xe9, 0x22, 0x0a]), '"fine"\n');
    expect(lines).toEqual([
      { number: 1, refusal: "the line is not UTF-8" },
      { number: 2, text: '"fine"' },
    ]);
  });

  test("of any length are never held in memory", async () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x78);
    // Beside the heap of all tests of a process, a collection takes a second: one, when most would be held.
    let held = 0;
    async function* endless() {
      // A copy each time, so that held chunks show up as memory outside the heap.
      for (let count = 0; count < 256; count += 1) yield Buffer.from(chunk);
      await collectGarbage();
      held = process.memoryUsage().arrayBuffers;
      yield Buffer.from("\nnext\n");
    }
    await collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const lines = (await Readable.from(readLines(endless())).toArray()) as Line[];
    expect(lines.map((line) => line.number)).toEqual([1, 2]);
    expect(held - before).toBeLessThan(64 * 1024 * 1024);
  });
});
