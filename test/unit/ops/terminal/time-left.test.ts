import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineRun } from "../../../../local/records/line-run.ts";
import { doneBytes } from "../../../../ops/import/progress.ts";
import { durationText, SteadyPosition, timeLeft } from "../../../../ops/terminal/time-left.ts";

test.each([
  [0, "0 s"],
  [499, "0 s"],
  [41_400, "41 s"],
  [59_499, "59 s"],
  [59_500, "1 min 0 s"],
  [200_000, "3 min 20 s"],
  [3_599_499, "59 min 59 s"],
  [7_500_000, "2 h 5 min"],
])("%d ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

describe("the time that is left", () => {
  test.each([
    [0.5, 1_000, "about 1 s left"],
    [0.5, 10_000, "about 10 s left"],
    [0.5, 10_001, "about 15 s left"],
    [0.25, 13_000, "about 40 s left"],
    [0.5, 90_000, "about 90 s left"],
    [0.5, 90_001, "about 2 min left"],
    [0.1, 20_000, "about 3 min left"],
    [0.5, 90 * 60_000, "about 90 min left"],
    [0.5, 90 * 60_000 + 1, "about 2 h left"],
    [1, 5_000, "nearly done"],
  ])("with %d done after %d ms is %s", (share, tookMs, text) => {
    expect(timeLeft(share, tookMs)).toBe(text);
  });

  test.each([
    [0, 5_000],
    [0.009, 5_000],
    [0.5, 0],
    [Number.NaN, 5_000],
  ])("with %d done after %d ms is not known", (share, tookMs) => {
    expect(timeLeft(share, tookMs)).toBe("…");
  });

  test("is told in words, whatever share is done", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1 }), fc.nat(1e9), (share, tookMs) => {
        expect(timeLeft(share, tookMs)).toMatch(/^(?:…|nearly done|about \d+ (?:s|min|h) left)$/);
      }),
    );
  });
});

describe("a bar", () => {
  test("moves between two jumps at the average speed, as far as a jump", () => {
    const position = new SteadyPosition(1_000);
    expect(position.at(0, 0)).toBe(0);
    expect(position.at(0, 500)).toBe(0);
    expect(position.at(100, 1_000)).toBe(100);
    expect(position.at(100, 1_500)).toBe(150);
    expect(position.at(100, 2_000)).toBe(200);
    expect(position.at(100, 9_000)).toBe(200);
    expect(position.at(250, 9_100)).toBe(250);
  });

  test("never goes back, nor beyond its end", () => {
    const step = fc.record({ jump: fc.nat(400), ms: fc.nat(2_000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const position = new SteadyPosition(1_000);
        let [known, tookMs, before] = [0, 0, 0];
        for (const { jump, ms } of steps) {
          known = Math.min(1_000, known + jump);
          tookMs += ms;
          const shown = position.at(known, tookMs);
          expect(shown).toBeGreaterThanOrEqual(Math.max(before, known));
          expect(shown).toBeLessThanOrEqual(1_000);
          before = shown;
        }
      }),
    );
  });

  test("shows the lines that are finished, not those that were only read", () => {
    const run = new LineRun(async () => {});
    const source = { name: "x", sizeBytes: 1_000, readBytes: () => 800 };
    const watched = { source, run };
    expect(doneBytes(watched)).toBe(0);
    run.read = 40;
    expect(doneBytes(watched)).toBe(0);
    run.tally.written = 10;
    run.tally.refused = 5;
    run.passedOver = 5;
    expect(doneBytes(watched)).toBe(400);
    run.tally.written = 30;
    expect(doneBytes(watched)).toBe(800);
  });
});
