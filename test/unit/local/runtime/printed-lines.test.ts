import { describe, expect, it } from "vitest";
import { PrintedLines } from "../../../../local/runtime/execution-environment.ts";

function linesOf(texts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  const printed = new PrintedLines((line) => lines.push(line));
  for (const text of texts) printed.take(text);
  printed.end();
  return lines;
}

describe("what a thread prints", () => {
  it("is cut at each end of a line, wherever the texts end", () => {
    expect(linesOf(["one\ntw", "o\n", "\nfo", "ur", "\n"])).toEqual(["one", "two", "", "four"]);
    expect(linesOf(["one\r\ntwo\n"])).toEqual(["one", "two"]);
  });

  it("keeps a last line without an end, once", () => {
    expect(linesOf(["one\nand a ha", "lf"])).toEqual(["one", "and a half"]);
    expect(linesOf([""])).toEqual([]);
  });

  it("is there as soon as its line has ended", () => {
    const lines: string[] = [];
    const printed = new PrintedLines((line) => lines.push(line));
    printed.take("one\ntwo");
    expect(lines).toEqual(["one"]);
  });
});
