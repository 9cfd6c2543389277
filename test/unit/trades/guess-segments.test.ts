import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessSegments, type PageProgress } from "../../../lib/trades/guess-segments.ts";
import { cases } from "../../support/cases.ts";

const first: PageProgress = {
  wanted: 1_001,
  yield: undefined,
  isContinued: false,
  queries: 0,
  units: 0,
  unitsLeft: 256,
  finalRows: 0,
  added: { segments: 0, rows: 0, trades: 0 },
};

const guess = (changes: Partial<PageProgress>): number => guessSegments({ ...first, ...changes });

describe("a page's first query", () => {
  test.each([
    [1, 3],
    [250, 3],
    [251, 4],
    [1_001, 7],
    [1_901, 10],
  ])(
    "for %i trades asks for %i segments where nothing is known: full ones, and two more",
    (wanted, segments) => expect(guess({ wanted })).toBe(segments),
  );

  test.each([
    [250, 6],
    [100, 12],
    [50, 22],
    [39, 27],
    [37, 28],
    [1, 28],
  ])(
    "after pages that had %i trades a segment asks for %i, four times as many as full ones at most",
    (gave, segments) =>
      expect([guess({ yield: gave }), guess({ yield: gave, isContinued: true })]).toEqual([
        segments,
        segments,
      ]),
  );

  test("asks for three at least where it may meet segments that are too new for it, and for fewer where a page goes on", () => {
    expect(guess({ wanted: 10, yield: 250 })).toBe(3);
    expect(guess({ wanted: 10, yield: 250, isContinued: true })).toBe(2);
  });
});

describe("a later query", () => {
  const goingOn = (added: PageProgress["added"], changes: Partial<PageProgress> = {}): number =>
    guess({ queries: 1, units: 1, added, ...changes });

  test("asks for as many as those before suggest, and one more, taking every trade in them to count", () => {
    // 400 of 500 may be shown: 601 are wanted still, of segments with 100 trades each.
    expect(goingOn({ segments: 5, rows: 400, trades: 500 })).toBe(8);
    expect(goingOn({ segments: 5, rows: 400, trades: 500 }, { queries: 2, finalRows: 100 })).toBe(8);
  });

  test("counts what became final once that has proved too hopeful twice", () => {
    // 100 of 5 segments are final: 901 are wanted still, at 20 a segment.
    expect(goingOn({ segments: 5, rows: 400, trades: 500 }, { queries: 3, finalRows: 100 })).toBe(47);
  });

  test("asks for two at least, and later on for half as many as were seen", () => {
    const nearlyThere = { segments: 21, rows: 1_000, trades: 5_250 };
    expect(goingOn(nearlyThere)).toBe(2);
    expect(goingOn(nearlyThere, { queries: 3, finalRows: 1_000 })).toBe(11);
    expect(goingOn({ segments: 1, rows: 1_000, trades: 1_000 }, { queries: 3, finalRows: 1_000 })).toBe(2);
  });

  test("asks for four times as many after segments that gave nothing", () => {
    expect(goingOn({ segments: 7, rows: 0, trades: 1_750 })).toBe(28);
    expect(goingOn({ segments: 7, rows: 9, trades: 1_750 }, { queries: 3 })).toBe(28);
  });

  test("asks for no more than what the units that are left pay for, rounded up", () => {
    const dear = { segments: 10, rows: 0, trades: 2_500 };
    expect(goingOn(dear, { units: 10, unitsLeft: 12 })).toBe(12);
    expect(goingOn(dear, { units: 20, unitsLeft: 11 })).toBe(6);
    expect(goingOn(dear, { units: 20, unitsLeft: 1 })).toBe(1);
    expect(goingOn(dear, { units: 20, unitsLeft: 0 })).toBe(40);
    expect(goingOn(dear, { units: 20, unitsLeft: -5 })).toBe(40);
  });
});

test("whatever a page has come to, it asks for a whole number of segments from 1 to 1,000", () => {
  const count = (max: number) => fc.integer({ min: 0, max });
  const progress = fc
    .record({
      wanted: fc.integer({ min: 2, max: 1_901 }),
      yield: fc.option(fc.integer({ min: 1, max: 250 }), { nil: undefined }),
      isContinued: fc.boolean(),
      queries: fc.integer({ min: 1, max: 20 }),
      units: fc.integer({ min: 1, max: 500 }),
      segments: count(5_000),
      fill: fc.double({ min: 0, max: 1, noNaN: true }),
      shown: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ segments, fill, shown, ...rest }): PageProgress => {
      const trades = segments + Math.floor(fill * 249 * segments);
      const rows = Math.floor(shown * trades);
      const finalRows = Math.min(rows, rest.wanted - 1);
      return { ...rest, unitsLeft: 256 - rest.units, finalRows, added: { segments, rows, trades } };
    });
  fc.assert(
    fc.property(progress, (drawn) => {
      const asked = guessSegments(drawn);
      expect(Number.isInteger(asked) && asked >= 1 && asked <= 1_000).toBe(true);
    }),
    { numRuns: cases(100) },
  );
});
