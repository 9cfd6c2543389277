import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ByteReader,
  ByteWriter,
  unzigzag,
  unzigzagBigInt,
  zigzag,
  zigzagBigInt,
} from "../../../lib/trades/bytes.ts";

const LONGEST = 2n ** 133n - 1n;
const sized = fc
  .tuple(fc.integer({ min: 0, max: 52 }), fc.maxSafeNat())
  .map(([bits, value]) => Math.floor(value / 2 ** bits));
const sizedBigInt = fc
  .tuple(fc.bigInt({ min: 0n, max: 133n }), fc.bigInt({ min: 0n, max: LONGEST }))
  .map(([bits, value]) => value >> bits);

const written = (write: (writer: ByteWriter) => void): Buffer => {
  const writer = new ByteWriter();
  write(writer);
  return writer.bytes();
};

describe("what is written", () => {
  test("is read again, in its order, to its end and no further", () => {
    const values = fc.array(fc.oneof(sized, sizedBigInt));
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 255 }), (drawn, last) => {
        const bytes = written((writer) => {
          for (const value of drawn) {
            if (typeof value === "bigint") writer.bigInt(value);
            else writer.number(value);
          }
          writer.byte(last);
        });
        const reader = new ByteReader(bytes);
        for (const value of drawn)
          expect(typeof value === "bigint" ? reader.bigInt() : reader.number()).toBe(value);
        expect(reader.isAtEnd).toBe(false);
        expect(reader.byte()).toBe(last);
        expect(reader.isAtEnd).toBe(true);
        for (const read of [() => reader.byte(), () => reader.number(), () => reader.bigInt()])
          expect(read).toThrow(new RangeError("The bytes end early."));
      }),
    );
  });

  test("takes a byte for each 7 bits, alike as a number and as one of any length", () => {
    for (let bytes = 1; bytes <= 7; bytes += 1) {
      const [least, most] = [bytes === 1 ? 0 : 2 ** (7 * (bytes - 1)), 2 ** (7 * bytes) - 1];
      for (const value of [least, most]) {
        const asNumber = written((writer) => writer.number(value));
        expect(asNumber).toHaveLength(bytes);
        expect(written((writer) => writer.bigInt(BigInt(value)))).toEqual(asNumber);
      }
    }
  });
});

describe("a number that is too long", () => {
  const tooLong = new RangeError("A number is too long.");

  test("is one beyond 2^53 - 1 where a number is read", () => {
    const of = (value: bigint) => new ByteReader(written((writer) => writer.bigInt(value)));
    expect(of(2n ** 53n - 1n).number()).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => of(2n ** 53n).number()).toThrow(tooLong);
    expect(() => of(LONGEST).number()).toThrow(tooLong);
  });

  test("is one of more than 19 bytes where any is read", () => {
    expect(new ByteReader(written((writer) => writer.bigInt(LONGEST))).bigInt()).toBe(LONGEST);
    expect(() => new ByteReader(written((writer) => writer.bigInt(LONGEST + 1n))).bigInt()).toThrow(tooLong);
  });
});

test("a sign is folded in and out again, and numbers near 0 of either sign are the smallest", () => {
  expect([0, -1, 1, -2, 2].map(zigzag)).toEqual([0, 1, 2, 3, 4]);
  expect([0n, -1n, 1n, -2n, 2n].map(zigzagBigInt)).toEqual([0n, 1n, 2n, 3n, 4n]);
  const most = (Number.MAX_SAFE_INTEGER - 1) / 2;
  fc.assert(
    fc.property(fc.integer({ min: -most, max: most }), fc.bigInt(), (value, long) => {
      expect(unzigzag(zigzag(value)) === value).toBe(true);
      expect(unzigzagBigInt(zigzagBigInt(long))).toBe(long);
    }),
  );
});
