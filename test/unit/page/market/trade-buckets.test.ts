import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawnAt, exactText, isGreater, sumOf, ZERO } from "../../../../page/src/market/exact.ts";
import {
  type Bucket,
  bucketsOf,
  pointOf,
  type TradePoint,
  tradedPart,
} from "../../../../page/src/market/trade-buckets.ts";

const common = { aid: "A", anm: "A", pc: "B", pn: "MONE", qc: "A", qn: "UNIT", ve: "V", vp: "V" };
let trades = 0;
const point = (atMs: number, price: string, quantity = "1"): TradePoint => {
  trades += 1;
  return pointOf({ ...common, tdt: atMs, pdt: atMs, tid: `t-${trades}`, p: price, q: quantity });
};

const shown = ({ startMs, open, high, low, close, volume, trades }: Bucket) => [
  startMs,
  ...[open, high, low, close, volume].map(exactText),
  trades,
];

const EVERYTHING = { fromMs: 0, toMs: 10_000 };

test.each([
  ["the part that has trades", [70_000, 50_000], { fromMs: 50_000, toMs: 70_000 }],
  ["ten seconds around a single trade", [50_000], { fromMs: 45_000, toMs: 55_000 }],
  ["everything, half of which has trades", [90_000, 40_000], { fromMs: 0, toMs: 100_000 }],
  ["everything, without a trade", [], { fromMs: 0, toMs: 100_000 }],
])("of what was asked for, %s is shown", (_, instants, part) => {
  const points = instants.map((atMs) => point(atMs, "1"));
  expect(tradedPart(points, { fromMs: 0, toMs: 100_000 })).toEqual(part);
});

describe("a bucket", () => {
  test("opens with its oldest trade, closes with its newest, and has the highest and the lowest price", () => {
    const points = [point(9, "3.0"), point(8, "1"), point(7, "4.00"), point(1, "2.50")];
    expect(bucketsOf(points, EVERYTHING, 10).map(shown)).toEqual([[0, "2.50", "4.00", "1", "3.0", "4", 4]]);
  });

  test("takes the order of the endpoint among trades of one instant", () => {
    const points = [point(5, "3"), point(5, "2"), point(5, "1")];
    expect(bucketsOf(points, EVERYTHING, 10).map(shown)).toEqual([[0, "1", "3", "1", "3", "3", 3]]);
  });

  test("begins at a multiple of its width, which belongs to it, and ends before the next", () => {
    const points = [point(20, "1"), point(19, "1"), point(10, "1"), point(9, "1")];
    const buckets = bucketsOf(points, EVERYTHING, 10);
    expect(buckets.map(({ startMs, trades }) => [startMs, trades])).toEqual([
      [0, 1],
      [10, 2],
      [20, 1],
    ]);
  });

  test("adds quantities that a float would round", () => {
    const points = [point(3, "1", "0.1"), point(2, "1", "0.2"), point(1, "1", "0.000000000000000000000001")];
    const [bucket] = bucketsOf(points, EVERYTHING, 10);
    expect(bucket && exactText(bucket.volume)).toBe("0.300000000000000000000001");
  });
});

/** Decimals as the endpoint may send them. */
const decimals = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^\d{0,12}$/))
  .map(([whole, fraction]) => (fraction === "" ? String(whole) : `${whole}.${fraction}`));
const markets = fc
  .array(fc.record({ atMs: fc.nat(10_000), price: decimals, quantity: decimals }), { maxLength: 60 })
  .map((trades) =>
    trades
      .toSorted((one, other) => other.atMs - one.atMs)
      .map(({ atMs, price, quantity }) => point(atMs, price, quantity)),
  );

describe("the buckets of a market, whatever it traded", () => {
  test("have each of its trades once, with exact sums, in ascending order, at every width", () => {
    fc.assert(
      fc.property(markets, fc.integer({ min: 1, max: 12_000 }), (points, widthMs) => {
        const buckets = bucketsOf(points, EVERYTHING, widthMs);
        const sum = (volumes: readonly TradePoint["quantity"][]) => drawnFree(volumes.reduce(sumOf, ZERO));
        expect(buckets.reduce((count, { trades }) => count + trades, 0)).toBe(points.length);
        expect(sum(buckets.map(({ volume }) => volume))).toBe(sum(points.map(({ quantity }) => quantity)));
        const starts = buckets.map(({ startMs }) => startMs);
        expect(starts).toEqual([...new Set(starts)].toSorted((one, other) => one - other));
        for (const { high, low, open, close, trades } of buckets) {
          expect(trades).toBeGreaterThan(0);
          for (const price of [open, close, low]) expect(isGreater(price, high)).toBe(false);
          for (const price of [open, close, high]) expect(isGreater(low, price)).toBe(false);
        }
      }),
    );
  });

  test("are the same in each view that shows them, whole at its edges", () => {
    fc.assert(
      fc.property(
        markets,
        fc.nat(10_000),
        fc.nat(10_000),
        fc.integer({ min: 1, max: 3_000 }),
        (points, one, other, widthMs) => {
          const view = { fromMs: Math.min(one, other), toMs: Math.max(one, other) };
          const all = bucketsOf(points, EVERYTHING, widthMs);
          const touched = all.filter(
            ({ startMs }) => startMs + widthMs > view.fromMs && startMs <= view.toMs,
          );
          expect(bucketsOf(points, view, widthMs)).toEqual(touched);
        },
      ),
    );
  });
});

/** The value of a decimal without zeros at its end: two sums may have been added in another order. */
const drawnFree = (decimal: TradePoint["quantity"]): string => {
  const text = exactText(decimal);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
};

test("a decimal is compared by its value, and keeps its digits", () => {
  const [coarse, fine] = [point(0, "1.5").price, point(0, "1.50").price];
  expect([isGreater(coarse, fine), isGreater(fine, coarse)]).toEqual([false, false]);
  expect([exactText(coarse), exactText(fine)]).toEqual(["1.5", "1.50"]);
  expect(isGreater(point(0, "10").price, point(0, "9.99").price)).toBe(true);
  expect(isGreater(point(0, "9007199254740993").price, point(0, "9007199254740992").price)).toBe(true);
});

test("a pixel is placed by the nearest number", () => {
  expect(drawnAt(point(0, "64825.10").price)).toBe(64_825.1);
});
