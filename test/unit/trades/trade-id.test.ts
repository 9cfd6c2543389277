import { describe, expect, test } from "vitest";
import type { Print } from "../../../lib/trades/trade-document.ts";
import { tradeIdOf } from "../../../lib/trades/trade-id.ts";
import { PrintIds } from "../../../ops/import/trades/print-ids.ts";

const OURS = "0123456789abcdef0123456789abcdef";

describe("a trade's id from what its source calls it", () => {
  test.each([
    ["32 lower-case hex digits", OURS, OURS],
    ["a number, with zeros before it", "4711", "4711".padStart(32, "0")],
    ["zero", "0", "0".repeat(32)],
    ["a number of 32 digits", "9".repeat(32), "9".repeat(32)],
    ["a UUID without its hyphens", "01234567-89ab-cdef-0123-456789abcdef", OURS],
    ["a UUID in capitals", "01234567-89AB-CDEF-0123-456789ABCDEF", OURS],
  ])("is %s", (_, text, id) => expect(tradeIdOf(text)).toBe(id));

  test.each([
    ["nothing", ""],
    ["a word", "trade-1"],
    ["hex in capitals", OURS.toUpperCase()],
    ["31 hex digits", OURS.slice(1)],
    ["33 hex digits", `${OURS}a`],
    ["a number of 33 digits", "1".repeat(33)],
    ["a negative number", "-1"],
    ["a fraction", "1.0"],
    ["digits of another script", "\u0661"],
    ["a UUID with something before it", "x01234567-89ab-cdef-0123-456789abcdef"],
    ["a UUID with something after it", "01234567-89ab-cdef-0123-456789abcdefx"],
    ["a UUID in braces", "{01234567-89ab-cdef-0123-456789abcdef}"],
    ["a line end", `${OURS}\n`],
  ])("is not made of %s", (_, text) => expect(tradeIdOf(text)).toBeUndefined());
});

describe("ids of trades that have none", () => {
  const print: Print = {
    symbol: "BTC-USD",
    tradedAtMicros: "1795554000000000",
    price: "100.50",
    quantity: "0.10",
    side: "buy",
  };
  const others: readonly Partial<Print>[] = [
    { symbol: "ETH-USD" },
    { tradedAtMicros: "1795554000000001" },
    { price: "100.05" },
    { quantity: "0.01" },
    { quantity: "10" },
    { side: "sell" },
    { side: undefined },
  ];

  test("are 32 hex digits, the same for the same file, and stay what they are from release to release", () => {
    const [first, second] = [new PrintIds(), new PrintIds()];
    const ids = [print, { ...print, side: "sell" as const }, print].map((given) => first.next(given));
    expect(ids.map((id) => /^[0-9a-f]{32}$/.test(id))).toEqual([true, true, true]);
    expect(ids[0]).toBe("2ca1092f46cb09662605af2eb1d4ee9f");
    expect([print, { ...print, side: "sell" as const }, print].map((given) => second.next(given))).toEqual(
      ids,
    );
  });

  test("differ for prints that differ in anything, and for equal ones by how many came before", () => {
    const ids = new PrintIds();
    const made = [print, ...others.map((other) => ({ ...print, ...other })), print, print];
    expect(new Set(made.map((given) => ids.next(given))).size).toBe(made.length);
  });

  test.each([
    ["100.5", "0.1"],
    ["100.500", "0.1000"],
  ])("do not differ by zeros at the end of a decimal: %s and %s", (price, quantity) => {
    expect(new PrintIds().next({ ...print, price, quantity })).toBe(new PrintIds().next(print));
    expect(new PrintIds().next({ ...print, price: "100.0" })).toBe(
      new PrintIds().next({ ...print, price: "100" }),
    );
    expect(new PrintIds().next({ ...print, price: "100" })).not.toBe(
      new PrintIds().next({ ...print, price: "1" }),
    );
  });
});
