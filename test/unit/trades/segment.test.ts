import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf } from "../../../bench/support/busy-trades.ts";
import { packSegment } from "../../../lib/trades/pack-segment.ts";
import { keyText, readSegment } from "../../../lib/trades/read-segment.ts";
import { compareRows, compareToPlace, isSamePlace } from "../../../lib/trades/row-order.ts";
import { compareRecords, cutSegments } from "../../../lib/trades/segment.ts";
import { encodeSegment } from "../../../lib/trades/segment-codec.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import { cases } from "../../support/cases.ts";
import { NOW, trade } from "../../support/trades.ts";

const base: Trade = { tradedAt: NOW, publishedAt: NOW, price: "1", quantity: "1", id: idOf(1) };

describe("of two records of one place and one revision", () => {
  const record: fc.Arbitrary<Trade> = fc
    .record({
      publishedAt: fc.constantFrom(NOW, NOW + 1),
      price: fc.constantFrom("1", "11", "2"),
      quantity: fc.constantFrom("1", "11", "2"),
      side: fc.constantFrom("buy" as const, "sell" as const, undefined),
      withdrawn: fc.constantFrom(true, false),
    })
    .map(({ side, ...rest }) => ({ ...base, ...rest, ...(side !== undefined && { side }) }));

  test("one counts whichever comes first, unless they say the same; and one that is withdrawn before any other", () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const order = compareRecords(a, b);
        expect(Math.sign(compareRecords(b, a))).toBe(0 - Math.sign(order));
        expect(order === 0).toBe(JSON.stringify(a) === JSON.stringify(b));
        if (a.withdrawn !== b.withdrawn) expect(order > 0).toBe(a.withdrawn === true);
      }),
      { numRuns: cases(100) },
    );
  });

  test("a record that says nothing of a withdrawal is none", () =>
    expect(compareRecords(base, { ...base, withdrawn: false })).toBe(0));
});

describe("records of one place in one batch", () => {
  /** The prices in each segment that a batch is cut into. */
  const cut = (...records: readonly Partial<Trade>[]) =>
    cutSegments(
      records.map((changes) => ({ ...base, ...changes })),
      0,
    ).map(({ trades }) => trades.map(({ price }) => price));

  test("leave out those that count less, where the one that counts is published by then", () => {
    expect(cut({ price: "1" }, { price: "3" }, { price: "2" })).toEqual([["3"]]);
    expect(cut({ price: "1", publishedAt: NOW + 5 }, { price: "3" })).toEqual([["3"]]);
  });

  test("stay beneath each other, each in a segment of its own, while the one that counts is not published", () => {
    expect(cut({ price: "1" }, { price: "3", publishedAt: NOW + 5 })).toEqual([["3"], ["1"]]);
    const later = { publishedAt: NOW + 9 };
    expect(cut({ price: "1" }, { price: "2", publishedAt: NOW + 5 }, { price: "3", ...later })).toEqual([
      ["3"],
      ["2"],
      ["1"],
    ]);
  });

  test("do not part the other trades of their batch", () => {
    const other = { id: idOf(2), price: "7" };
    const [first = [], second = []] = cut({ price: "1" }, { price: "3", publishedAt: NOW + 5 }, other);
    expect([first.toSorted(), second]).toEqual([["3", "7"], ["1"]]);
  });
});

describe("rows of segments", () => {
  const ids = ["1", "2", "a"].map((digit) => digit.repeat(32));
  const columns = readSegment(
    packSegment("BTC-USD", {
      revision: 0,
      trades: [
        trade(1, NOW, { id: ids[0] as string }),
        trade(2, NOW, { id: ids[2] as string }),
        trade(3, NOW + 1, { id: ids[1] as string }),
      ],
    }),
  );
  const row = (at: number) => ({ columns, row: at });

  test("stand in a page by instant and then by id, the newest first", () => {
    expect([row(0), row(2), row(1)].sort(compareRows).map((one) => one.row)).toEqual([2, 1, 0]);
    expect([0, 1, 2].map((at) => Math.sign(compareRows(row(at), row(1))))).toEqual([1, 0, -1]);
  });

  test("share a place only where instant and id are the same", () => {
    expect([row(0), row(1), row(2), undefined].map((one) => isSamePlace(one, row(1)))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  test("lie before or after a place as it lies after or before them", () => {
    const place = { tradedAt: NOW, id: ids[1] as string };
    expect([0, 1, 2].map((at) => Math.sign(compareToPlace(row(at), place)))).toEqual([-1, 1, 1]);
    expect(compareToPlace(row(0), { tradedAt: NOW, id: ids[0] as string })).toBe(0);
  });
});

describe("what is stored", () => {
  test("has its ids as they are, or packed where that is shorter", () => {
    const trades = (idAt: (n: number) => string) =>
      Array.from({ length: 250 }, (_, n) => trade(n, NOW + n, { id: idAt(n) })) as [Trade, ...Trade[]];
    const random = encodeSegment({ revision: 0, trades: trades(idOf) });
    const counted = encodeSegment({ revision: 0, trades: trades((n) => String(n).padStart(32, "0")) });
    expect([random.payload[1], counted.payload[1]]).toEqual([0, 1]);
    expect(random.payload.length - counted.payload.length).toBeGreaterThan(2_500);
  });

  test("is named by its partition and the hex of its key", () =>
    expect(keyText({ partition: "BTC-USD#649", sort: Buffer.from("0aff", "hex") })).toBe("BTC-USD#649/0aff"));
});
