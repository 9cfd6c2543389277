import { describe, expect, test, vi } from "vitest";
import { Failure } from "../../../../lib/errors.ts";
import type { WriteOutcome } from "../../../../lib/write-outcome.ts";
import { LineRun } from "../../../../local/records/line-run.ts";
import type { Line } from "../../../../local/records/read-lines.ts";
import { lineCount, newTally } from "../../../../local/records/tally.ts";
import { WRITES_AT_ONCE, writeLines } from "../../../../local/records/write-lines.ts";

vi.mock("node:timers/promises", () => ({
  // Pauses pass at once, and an abort still ends them.
  setTimeout: async (_ms: number, _value: unknown, { signal }: { signal: AbortSignal }) => {
    signal.throwIfAborted();
  },
}));

const throttled = () => new Failure("temporarily_unavailable", "The store did not answer.");
const written: WriteOutcome = { outcome: "written" };

async function* linesOf(...texts: readonly string[]): AsyncGenerator<Line> {
  for (const [at, text] of texts.entries()) yield { number: at + 1, text };
}

/** Writes lines with a writer, and returns everything that can be observed. */
async function run(
  lines: AsyncIterable<Line>,
  write: (text: string) => Promise<WriteOutcome>,
  stop = new AbortController(),
) {
  const notes: [number, string, string][] = [];
  const lineRun = new LineRun(async (...note) => void notes.push(note), stop);
  const fault = await writeLines(lines, lineRun, write).catch((error: unknown) => error);
  expect(lineRun.inFlight).toBe(0);
  return { tally: lineRun.tally, notes, fault, stop };
}

describe("writing lines", () => {
  test("counts each outcome and reports refusals with their line and reason", async () => {
    const outcomes: Record<string, WriteOutcome> = {
      a: written,
      b: { outcome: "unchanged" },
      c: { outcome: "stale" },
      d: { outcome: "refused", reason: "state: must be given" },
      e: { outcome: "written", unusual: "state declined → completed" },
      f: { outcome: "corrected", replaced: "replaces version 9" },
    };
    const { tally, notes } = await run(
      linesOf("a", "b", "c", "d", "a", "e", "f"),
      async (text) => outcomes[text] ?? written,
    );
    expect(tally).toMatchObject({ written: 3, unusual: 1, corrected: 1, unchanged: 1, stale: 1, refused: 1 });
    expect(lineCount(tally)).toBe(7);
    expect(notes).toEqual([
      [4, "refused", "state: must be given"],
      [6, "unusual", "state declined → completed"],
      [7, "corrected", "replaces version 9"],
    ]);
  });

  test("refuses a line that could not be read without asking the writer", async () => {
    const write = vi.fn(async () => written);
    const lines = (async function* (): AsyncGenerator<Line> {
      yield { number: 7, refusal: "the line is not UTF-8" };
    })();
    expect((await run(lines, write)).notes).toEqual([[7, "refused", "the line is not UTF-8"]]);
    expect(write).not.toHaveBeenCalled();
  });

  test("has no more than so many writes under way, and uses them", async () => {
    let underWay = 0;
    let most = 0;
    await run(linesOf(...Array.from({ length: 500 }, (_, at) => String(at))), async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return written;
    });
    expect(most).toBe(WRITES_AT_ONCE);
  });

  test("writes the lines of one record in the file's order, one at a time", async () => {
    const seen: string[] = [];
    const texts = Array.from({ length: 60 }, (_, at) => JSON.stringify({ id: at % 2 ? "ONE" : "one", at }));
    await run(linesOf(...texts), async (text) => {
      seen.push(`begin ${text}`);
      await new Promise(setImmediate);
      seen.push(`end ${text}`);
      return written;
    });
    expect(seen).toEqual(texts.flatMap((text) => [`begin ${text}`, `end ${text}`]));
  });

  test("tries again while the store throttles", async () => {
    let calls = 0;
    const { tally, fault } = await run(linesOf("a"), async () => {
      calls += 1;
      if (calls < 8) throw throttled();
      return written;
    });
    expect(fault).toBeUndefined();
    expect(tally.written).toBe(1);
  });

  test("stops when the store stays away, without counting what was not written", async () => {
    const texts = Array.from({ length: 1_000 }, (_, at) => String(at));
    const { tally, fault, stop } = await run(linesOf(...texts), async (text) => {
      if (Number(text) >= 100) throw throttled();
      return written;
    });
    expect(fault).toMatchObject({ name: "Failure", code: "temporarily_unavailable" });
    expect(tally).toEqual({ ...newTally(), written: 100 });
    expect(stop.signal.aborted).toBe(true);
  });

  test("throws a fault that is not transient at once, as it is", async () => {
    const missing = new Error("no such table");
    const write = vi.fn(() => Promise.reject(missing));
    expect((await run(linesOf("a"), write)).fault).toBe(missing);
    expect(write).toHaveBeenCalledTimes(1);
  });

  test("finishes and counts what is under way when the source fails, and throws that fault", async () => {
    const lines = (async function* (): AsyncGenerator<Line> {
      yield* linesOf("a", "b");
      throw new Error("cut off");
    })();
    const { tally, fault } = await run(lines, async () => {
      await new Promise(setImmediate);
      return written;
    });
    expect(fault).toMatchObject({ message: "cut off" });
    expect(tally.written).toBe(2);
  });

  const refused: WriteOutcome = { outcome: "refused", reason: "no" };
  const bad = (count: number) => Array.from({ length: count }, () => "bad");

  test("gives a file up after 1,000 refusals without one success, and not before", async () => {
    const whole = await run(linesOf(...bad(999)), async () => refused);
    expect([whole.fault, whole.tally.refused]).toEqual([undefined, 999]);
    const { fault, tally } = await run(linesOf(...bad(5_000)), async () => refused);
    expect(fault).toMatchObject({ message: expect.stringContaining("The first 1,000 lines") });
    expect(tally.refused).toBeGreaterThanOrEqual(1_000);
    expect(tally.refused).toBeLessThan(1_000 + WRITES_AT_ONCE);
  });

  test("waits for a slow success before it gives a file up", async () => {
    const { promise, resolve } = Promise.withResolvers<WriteOutcome>();
    let count = 0;
    const { fault, tally } = await run(linesOf("slow", ...bad(2_000)), async (text) => {
      if (text === "slow") return await promise;
      count += 1;
      if (count === 1_000) setImmediate(resolve, { outcome: "unchanged" });
      return refused;
    });
    expect(fault).toBeUndefined();
    expect(tally).toMatchObject({ unchanged: 1, refused: 2_000 });
  });

  test("that is told to stop takes no more lines, and finishes those under way", async () => {
    const stop = new AbortController();
    let begun = 0;
    const write = async () => {
      begun += 1;
      if (begun === 50) stop.abort();
      await new Promise(setImmediate);
      return written;
    };
    const lines = linesOf(...Array.from({ length: 1_000 }, (_, at) => String(at)));
    const { tally } = await run(lines, write, stop);
    expect(tally.written).toBe(begun);
    expect(begun).toBeLessThan(50 + WRITES_AT_ONCE);
  });
});
