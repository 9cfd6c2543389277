import { describe, expect, test } from "vitest";
import { marketOf } from "../../../../../lib/markets/market.ts";
import { LineRun } from "../../../../../local/records/line-run.ts";
import type { Line } from "../../../../../local/records/read-lines.ts";
import { TradeReader } from "../../../../../ops/import/trades/read-trades.ts";
import type { ParsedLine } from "../../../../../ops/import/trades/trade-source.ts";
import { type WriteTrades, writeTradeLines } from "../../../../../ops/import/trades/write-trades.ts";
import { NOW, trade } from "../../../../support/trades.ts";

const refusal: ParsedLine = { refusal: "p must be" };
const good: ParsedLine = { trade: trade(1, NOW) };

async function* linesOf(texts: readonly string[]): AsyncGenerator<Line> {
  for (const [at, text] of texts.entries()) yield { number: at + 1, text };
}

/** Imports lines; `parsed` gives the result of parsing each text. */
async function run(
  lines: AsyncIterable<Line>,
  parsed: (text: string) => ParsedLine,
  write: WriteTrades = async () => ({ segments: 1, withdrawn: 0 }),
) {
  const notes: [number, string, string][] = [];
  const lineRun = new LineRun(async (...note) => void notes.push(note));
  const reader = { read: (line: Line) => parsed("text" in line ? line.text : "") };
  const fault = await writeTradeLines(lines, lineRun, { reader, write }).catch((error: unknown) => error);
  return { run: lineRun, tally: lineRun.tally, notes, fault };
}

const many = (count: number, text = "bad"): string[] => Array.from({ length: count }, () => text);

describe("a file of another form", () => {
  test.each([
    ["a trade, even one that is not written yet", good],
    ["a trade of another market", { passedOver: "other market", name: "ETH-USD" } as const],
    ["a message of another type", { passedOver: "other type", name: "heartbeat" } as const],
  ])("is not suspected when the file begins with %s", async (_, first) => {
    const parsed = (text: string): ParsedLine => (text === "bad" ? refusal : first);
    const { fault, tally } = await run(linesOf(["first", ...many(2_000)]), parsed);
    expect([fault, tally.refused]).toEqual([undefined, 2_000]);
  });

  test("is suspected when only a heading comes before the refusals", async () => {
    const parsed = (text: string): ParsedLine => (text === "bad" ? refusal : { passedOver: "heading" });
    const { fault, tally } = await run(linesOf(["heading", ...many(2_000)]), parsed);
    expect(fault).toMatchObject({ message: expect.stringContaining("The first 1,000 lines") });
    expect(tally.refused).toBe(1_000);
  });

  test("ends at the line that shows it, and good lines before that are written", async () => {
    const parsed = (text: string): ParsedLine => (text === "end" ? { unusable: "another heading" } : good);
    const { fault, tally } = await run(linesOf([...many(5_000, "good"), "end", "good"]), parsed);
    expect(fault).toMatchObject({ message: "Line 5001: another heading." });
    expect(tally.written).toBe(5_000);
  });
});

describe("a last line without its newline", () => {
  const read = (text: string, format: "kraken" | "ndjson" | "binance", takesLastLine = false) =>
    new TradeReader({
      symbol: "BTC-USD",
      market: marketOf("BTC-USD"),
      venue: "v",
      format,
      takesLastLine,
    }).read({
      number: 2,
      text,
      isUnended: true,
    });

  test("is refused where its last number may have been cut off, unless it is to be accepted", () => {
    expect(read("1795000000,2,3.4", "kraken")).toMatchObject({
      refusal: expect.stringContaining("--last-line"),
    });
    expect(read("1795000000,2,3.4", "kraken", true)).toHaveProperty("trade");
  });

  test.each([
    ["ndjson", '{"tdt":1690000000000,"p":"1","q":"2"}'],
    ["binance", "1,2,3,6,1690000000000,true"],
  ] as const)("is accepted where nothing can be missing: %s", (format, last) => {
    expect(read(last, format)).toHaveProperty("trade");
  });
});

test("remarks name their line, and trades under way are counted until they are written", async () => {
  const seen: number[] = [];
  const parsed = (text: string): ParsedLine => ({
    trade: trade(Number(text), NOW),
    ...(text === "2" && { remark: "look" }),
  });
  const result = await run(linesOf(["1", "2", "3"]), parsed, async (trades) => {
    seen.push(trades.length);
    return { segments: 1, withdrawn: 0 };
  });
  expect(result.notes).toEqual([[2, "remark", "look"]]);
  expect([seen, result.run.inFlight, result.tally.written]).toEqual([[3], 0, 3]);
});
