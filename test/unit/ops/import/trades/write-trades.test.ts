import { describe, expect, test } from "vitest";
import type { Line } from "../../../../../local/records/read-lines.ts";
import { newFlow, newTally } from "../../../../../local/records/tally.ts";
import type { WriteTrades } from "../../../../../ops/import/trades/market-writer.ts";
import type { ParsedLine } from "../../../../../ops/import/trades/trade-source.ts";
import { writeTradeLines } from "../../../../../ops/import/trades/write-trades.ts";
import { NOW, trade } from "../../../../support/trades.ts";

const refusal: ParsedLine = { refusal: "p must be" };
const good: ParsedLine = { trade: trade(1, NOW) };

async function* linesOf(texts: readonly string[], isUnended = false): AsyncGenerator<Line> {
  for (const [at, text] of texts.entries())
    yield { number: at + 1, text, ...(isUnended && at === texts.length - 1 && { isUnended }) };
}

/** Imports lines; `parsed` gives the result of parsing each text. */
async function run(
  lines: AsyncIterable<Line>,
  parsed: (text: string) => ParsedLine,
  takesLastLine = false,
  write: WriteTrades = async () => ({ segments: 1, withdrawn: 0 }),
) {
  const [tally, flow] = [newTally(), newFlow()];
  const refusals: number[] = [];
  const remarks: [number, string][] = [];
  const sink = {
    tally,
    flow,
    onRefused: async (line: number) => void refusals.push(line),
    onRemark: async (line: number, reason: string) => void remarks.push([line, reason]),
    stop: new AbortController(),
  };
  const writer = { ...sink, parse: parsed, write, onPassedOver: () => {}, takesLastLine };
  const fault = await writeTradeLines(lines, writer).catch((error: unknown) => error);
  return { tally, flow, refusals, remarks, fault };
}

const many = (count: number, text = "bad"): string[] => Array.from({ length: count }, () => text);
const byText = (text: string): ParsedLine => (text === "bad" ? refusal : good);

describe("a file of another form", () => {
  test("is given up after 1,000 refusals without one success, and not before", async () => {
    const whole = await run(linesOf(many(999)), byText);
    expect([whole.fault, whole.tally.refused]).toEqual([undefined, 999]);
    const given = await run(linesOf(many(5_000)), byText);
    expect(given.fault).toMatchObject({ message: expect.stringContaining("The first 1,000 lines") });
    expect(given.tally.refused).toBe(1_000);
  });

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
  const lines = () => linesOf(["1,2,3", "1,2,3.4"], true);

  test("is refused where its last number may have been cut off, unless it is to be accepted", async () => {
    expect(await run(lines(), byText)).toMatchObject({ refusals: [2], tally: { written: 1, refused: 1 } });
    expect(await run(lines(), byText, true)).toMatchObject({ refusals: [], tally: { written: 2 } });
  });

  test.each(['{"p":"1"}', "1,2,3,4,5,true"])("is accepted where nothing can be missing: %s", async (last) => {
    expect(await run(linesOf(["1", last], true), byText)).toMatchObject({ refusals: [] });
  });
});

test("remarks name their line, and trades under way are counted until they are written", async () => {
  const seen: number[] = [];
  const parsed = (text: string): ParsedLine => ({
    trade: trade(Number(text), NOW),
    ...(text === "2" && { remark: "look" }),
  });
  const result = await run(linesOf(["1", "2", "3"]), parsed, false, async (trades) => {
    seen.push(trades.length);
    return { segments: 1, withdrawn: 0 };
  });
  expect(result.remarks).toEqual([[2, "look"]]);
  expect([seen, result.flow.inFlight, result.tally.written]).toEqual([[3], 0, 3]);
});
