import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { busyTrades } from "../../../bench/support/busy-trades.ts";
import { tradeOf } from "../../../lib/trades/page-buffer.ts";
import { cutSegments, SEGMENT_SPAN_MS, SEGMENT_TRADES_MAX } from "../../../lib/trades/segment.ts";
import { decodeSegment, encodeSegment } from "../../../lib/trades/segment-codec.ts";
import { comparePlaces, INSTANT_MAX_MS, type Trade } from "../../../lib/trades/trade.ts";
import { PUBLICATION_APART_MAX_MS, tradeViolation } from "../../../lib/trades/trade-rules.ts";
import { cases } from "../../support/cases.ts";
import { NOW, recordText, trade } from "../../support/trades.ts";

const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 8 }), fc.boolean())
  .map(([whole, decimals, isSmall]) => {
    const digits =
      decimals === 0 ? "" : `.${String(whole % 10n ** BigInt(decimals)).padStart(decimals, "0")}`;
    return `${isSmall ? whole % 100n : whole}${digits}`;
  });

const anyTrade: fc.Arbitrary<Trade> = fc
  .record({
    offset: fc.integer({ min: 0, max: 5_000 }),
    lag: fc.integer({ min: -1_000, max: 86_400_000 }),
    price: decimal,
    quantity: decimal,
    n: fc.nat(1_000),
    side: fc.constantFrom("buy" as const, "sell" as const, undefined),
    withdrawn: fc.boolean(),
  })
  .map(({ offset, lag, n, side, ...rest }) => {
    const { side: _, ...sideless } = trade(n, NOW + offset);
    return {
      ...sideless,
      publishedAt: NOW + offset + lag,
      ...rest,
      ...(side !== undefined && { side }),
    };
  });

const roundTrip = (trades: readonly Trade[], revision = 0): Trade[] =>
  cutSegments(trades, revision).flatMap((segment) => {
    const columns = decodeSegment(encodeSegment(segment).payload);
    expect(columns.revision).toBe(revision);
    return Array.from({ length: columns.count }, (_, row) => tradeOf({ columns, row }));
  });

const exact = (record: Trade): string => `${recordText(record)} ${record.withdrawn === true}`;

test("a segment is read as it was written, to the letter", () => {
  const trades = fc.uniqueArray(anyTrade, {
    selector: (record) => `${record.tradedAt}/${record.id}`,
    maxLength: 60,
  });
  fc.assert(
    fc.property(trades, fc.nat(1_000), (records, revision) => {
      const sorted = [...records].sort(comparePlaces);
      expect(roundTrip(records, revision).map(exact)).toEqual(sorted.map(exact));
    }),
  );
});

test.each([
  ["100.00", "0.0000001"],
  ["0.10", "1000000000000000000000"],
  ["0", "0.00"],
  ["99999999999999999999999999999999999999", "0.0000000000000000000000000000000000001"],
  ["2251799813685248", "2251799813685249"],
])("a price of %s and a quantity of %s keep every digit, beside others", (price, quantity) => {
  const record = trade(1, NOW, { price, quantity });
  expect(tradeViolation(record)).toBeUndefined();
  const [first, second] = roundTrip([record, trade(2, NOW + 1)]);
  expect([first?.price, first?.quantity]).toEqual([price, quantity]);
  expect(second?.price).toBe(trade(2, NOW + 1).price);
});

test.each([0, INSTANT_MAX_MS])("the instant %d can be stored", (instant) => {
  expect(roundTrip([trade(1, instant)])[0]?.tradedAt).toBe(instant);
});

describe("the bounds of a trade are those that a segment is read with", () => {
  const edge = (max: number) =>
    fc.oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: max - 3, max: max + 3 }),
      fc.maxSafeNat(),
      fc.constantFrom(-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, NOW),
    );
  const anyText = fc.oneof(
    fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })).map(([whole, decimals]) => {
      const point = decimals === 0 ? "" : ".";
      return `${"9".repeat(whole)}${point}${"9".repeat(decimals)}`;
    }),
    fc.integer({ min: 0, max: 40 }).map((decimals) => `0.${"0".repeat(decimals)}1`),
    fc.constantFrom("0", "0.0", "-0", "1e5", "constructor", "__proto__", "١"),
    decimal,
  );
  const strange = fc.record({
    tradedAt: edge(INSTANT_MAX_MS),
    publishedAt: fc.oneof(edge(INSTANT_MAX_MS), edge(PUBLICATION_APART_MAX_MS)),
    price: anyText,
    quantity: anyText,
    id: fc.oneof(
      fc.constantFrom("0".repeat(32), "f".repeat(32), "F".repeat(32), "", "constructor", "0".repeat(33)),
      fc.nat(1_000).map((n) => trade(n, NOW).id),
    ),
    side: fc.constantFrom("buy", "sell", undefined, null, "", "constructor", "BUY", 1, true) as fc.Arbitrary<
      Trade["side"]
    >,
  }) as fc.Arbitrary<Trade>;

  test("a trade that passes the rules is read back to the letter", () => {
    fc.assert(
      fc.property(fc.array(strange, { maxLength: 20 }), (records) => {
        const good = records.filter((record) => tradeViolation(record) === undefined);
        const places = new Map(good.map((record) => [`${record.tradedAt}/${record.id}`, record]));
        const sorted = [...places.values()].sort(comparePlaces);
        expect(roundTrip(sorted).map(exact)).toEqual(sorted.map(exact));
      }),
      { numRuns: cases(400) },
    );
  });

  test.each([
    [0, PUBLICATION_APART_MAX_MS, true],
    [0, PUBLICATION_APART_MAX_MS + 1, false],
    [PUBLICATION_APART_MAX_MS, 0, true],
    [PUBLICATION_APART_MAX_MS + 1, 0, false],
    [NOW, INSTANT_MAX_MS, false],
    [INSTANT_MAX_MS, INSTANT_MAX_MS, true],
  ])("a trade of %d that is published at %d is good: %s", (tradedAt, publishedAt, isGood) => {
    const record = trade(1, tradedAt, { publishedAt });
    expect(tradeViolation(record)).toBe(
      isGood ? undefined : `pdt must lie within ${PUBLICATION_APART_MAX_MS} ms of tdt`,
    );
    if (isGood) expect(roundTrip([record]).map(exact)).toEqual([exact(record)]);
  });
});

describe("cutting", () => {
  test("a segment has at most 250 trades, spans less than two seconds and lies in one bucket", () => {
    const bucketEnd = 649 * 32 * 86_400_000;
    const trades = [
      ...busyTrades(3_000, 400, bucketEnd + 3_000),
      ...busyTrades(500, 0.1, bucketEnd - 60_000, 2),
    ];
    const segments = cutSegments(trades, 0);
    expect(segments.flatMap((segment) => segment.trades)).toHaveLength(3_500);
    for (const { trades: held } of segments) {
      expect(held.length).toBeLessThanOrEqual(SEGMENT_TRADES_MAX);
      const [first, last] = [held[0].tradedAt, held.at(-1)?.tradedAt ?? Number.NaN];
      expect(last - first).toBeLessThan(SEGMENT_SPAN_MS);
      expect(first < bucketEnd).toBe(last < bucketEnd);
    }
  });

  test("files that overlap are cut alike but for their edges, so that they overwrite each other", () => {
    const trades = busyTrades(4_000, 50, NOW);
    const digests = (part: readonly Trade[]) =>
      new Set(cutSegments(part, 0).map((segment) => encodeSegment(segment).digest.toString("hex")));
    const whole = digests(trades);
    const others = [...digests(trades.slice(1_001, 3_003))].filter((digest) => !whole.has(digest));
    expect(others.length).toBeLessThanOrEqual(2);
  });

  test("the order of a batch and repetitions in it change nothing", () => {
    const trades = busyTrades(600, 300, NOW);
    const shuffled = [...trades.slice(300), ...trades.slice(0, 300).toReversed(), ...trades.slice(100, 200)];
    expect(cutSegments(shuffled, 0)).toEqual(cutSegments(trades, 0));
  });
});

test("any change of a payload's bytes is refused, or is still a segment that keeps every bound", () => {
  const payload = encodeSegment({ revision: 0, trades: [trade(1, NOW), trade(2, NOW + 5)] }).payload;
  fc.assert(
    fc.property(fc.nat(payload.length - 1), fc.integer({ min: 0, max: 255 }), (changedAt, value) => {
      try {
        const changed = Buffer.from(payload.map((byte, at) => (at === changedAt ? value : byte)));
        const { count, tradedAt } = decodeSegment(changed);
        expect(count).toBeLessThanOrEqual(SEGMENT_TRADES_MAX);
        expect((tradedAt[count - 1] ?? 0) - (tradedAt[0] ?? 0)).toBeLessThanOrEqual(SEGMENT_SPAN_MS);
      } catch (error) {
        expect((error as Error).message).toBe("A stored segment of trades is damaged.");
      }
    }),
    { numRuns: cases(100) },
  );
});
