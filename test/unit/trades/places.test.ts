import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { olderOf, placeBefore } from "../../../lib/trades/places.ts";
import {
  highestKeyAt,
  isWholeKey,
  isWithdrawnPartition,
  lastPlaceAt,
  lowestKeyAt,
  partitionOf,
  readKey,
  withdrawnPartitionOf,
} from "../../../lib/trades/segment-key.ts";
import { comparePlaces, type Place } from "../../../lib/trades/trade.ts";
import { NOW } from "../../support/trades.ts";

const [LOWEST, HIGHEST] = ["0".repeat(32), "f".repeat(32)];

/** Places that often share an instant, or lie beside each other. */
const place: fc.Arbitrary<Place> = fc.record({
  tradedAt: fc.integer({ min: 0, max: 3 }).map((ms) => NOW + ms),
  id: fc.oneof(
    fc.constantFrom(LOWEST, HIGHEST, `${"0".repeat(31)}1`, `${"f".repeat(31)}e`, `a${"0".repeat(31)}`),
    fc.stringMatching(/^[0-9a-f]{32}$/),
  ),
});

describe("places", () => {
  test("have one order: by instant, then by id, and equal ones only where both are", () => {
    const textOf = ({ tradedAt, id }: Place) => `${String(tradedAt).padStart(16, "0")}/${id}`;
    fc.assert(
      fc.property(place, place, (a, b) => {
        const expected = textOf(a) < textOf(b) ? -1 : Number(textOf(a) > textOf(b));
        expect(Math.sign(comparePlaces(a, b))).toBe(expected);
        expect(olderOf(a, b)).toEqual(expected < 0 ? a : b);
      }),
    );
  });

  test("follow each other: between a place and the one before it there is none", () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        const before = placeBefore(one);
        expect(before.id).toMatch(/^[0-9a-f]{32}$/);
        expect(comparePlaces(before, one)).toBeLessThan(0);
        expect(comparePlaces(other, before) <= 0 || comparePlaces(other, one) >= 0).toBe(true);
      }),
    );
    expect(placeBefore({ tradedAt: NOW, id: LOWEST })).toEqual({ tradedAt: NOW - 1, id: HIGHEST });
    expect(placeBefore({ tradedAt: NOW, id: `1${"0".repeat(31)}` }).id).toBe(`0${"f".repeat(31)}`);
  });
});

describe("sort keys", () => {
  test("have the order of the places that they name, which are read from them again", () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const [keyA, keyB] = [highestKeyAt(a), highestKeyAt(b)];
        expect(Math.sign(Buffer.compare(keyA, keyB))).toBe(Math.sign(comparePlaces(a, b)));
        expect(readKey(keyA)).toEqual({ last: a, digestStart: Buffer.alloc(4, 0xff) });
        expect(isWholeKey(keyA)).toBe(true);
      }),
    );
  });

  test("of an instant lie between its lowest and that of its last place, both ends included", () => {
    const [lowest, highest] = [lowestKeyAt(NOW), highestKeyAt(lastPlaceAt(NOW))];
    expect(readKey(lowest)).toEqual({ last: { tradedAt: NOW, id: LOWEST }, digestStart: Buffer.alloc(4) });
    expect(readKey(highest).last).toEqual({ tradedAt: NOW, id: HIGHEST });
    expect(Buffer.compare(highest, lowestKeyAt(NOW + 1))).toBeLessThan(0);
  });

  test("begin with the epoch: what lies before it has the key of its first instant", () =>
    expect(lowestKeyAt(-5)).toEqual(lowestKeyAt(0)));

  test("of another length are not ours, and say zeros for what they lack", () => {
    const key = highestKeyAt({ tradedAt: NOW, id: HIGHEST });
    for (const other of [key.subarray(1), Buffer.concat([key, Buffer.alloc(1)]), Buffer.alloc(0)])
      expect(isWholeKey(other)).toBe(false);
    expect(readKey(key.subarray(0, 9))).toEqual({
      last: { tradedAt: NOW, id: `ff${"0".repeat(30)}` },
      digestStart: Buffer.alloc(0),
    });
  });
});

test("a partition of withdrawals is told from the one that listings read", () => {
  const read = partitionOf("BTC-USD", 649);
  expect(read).toBe("BTC-USD#649");
  expect(withdrawnPartitionOf(read)).toBe("BTC-USD#649#withdrawn");
  expect([read, withdrawnPartitionOf(read)].map(isWithdrawnPartition)).toEqual([false, true]);
});
