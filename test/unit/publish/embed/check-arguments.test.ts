import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControlRefusal } from "../../../../local/control/control-route.ts";
import { faultBounds } from "../../../../local/faults/fault-routes.ts";
import { parseCount } from "../../../../ops/arguments/parse-count.ts";
import { parseDuration } from "../../../../ops/arguments/parse-duration.ts";
import { type Call, checkArguments, doors, refusalOf } from "../../../../publish/embed/doors.ts";
import { readArguments, writeArguments } from "../../../../publish/embed/messages.ts";
import { cases } from "../../../support/cases.ts";

const calls = Object.keys(doors) as Call[];

/** Checks arguments as the thread does that receives them. */
const check = (call: Call, ...given: readonly unknown[]): void =>
  checkArguments(call, readArguments(writeArguments(given)));

describe("the arguments of a call are checked before anything is done", () => {
  test.each<[Call, readonly unknown[]]>([
    ["startCountinghouse", []],
    ["startCountinghouse", [undefined]],
    [
      "startCountinghouse",
      [{ seed: "s", now: 1_800_000_000_000, brand: {}, corsOrigins: [], log: () => {} }],
    ],
    ["world", ["one", { now: undefined, demo: false, brand: { venue: "ACME" } }]],
    ["world", ["one", { now: "2026-11-20T12:00:00Z" }]],
    ["world", ["one", { now: Date.UTC(2002, 0) }]],
    ["world", ["one", { now: Date.UTC(2099, 0) - 1 }]],
    ["passTime", [0.5]],
    ["issueToken", [{ scopes: [], expiresInS: -60 }]],
    ["importRecords", ["transactions", { records: [{}] }]],
    ["importRecords", ["trades", { market: "NEW-USD", records: "" }]],
    ["importRecords", ["passes", { records: [{ endsInZero: 1_234_567_890_123_450 }] }]],
    ["importRecords", ["passes", { records: '{"amount":1234567890123456789.1}' }]],
    [
      "importRecords",
      [
        "passes",
        {
          records: [
            { numbers: [0, 0.000_012_345_678_901_234_5, -123_456_789.012_345, 1.234_567_890_123_45e-9] },
          ],
        },
      ],
    ],
    ["advance", ["id"]],
    ["fault", ["all", "slow", { byMs: 1, times: 999_999, oneIn: 1, forMs: undefined }]],
    ["clearFaults", []],
    ["reset", []],
  ])("%s takes %o", (call, given) => {
    expect(check(call, ...given)).toBeUndefined();
  });

  const text = "a text of 1 to 250 characters";
  const [ofStart, ofOpen] = [
    "now, demo, tomorrow, brand, seed, corsOrigins and log",
    "now, demo, tomorrow and brand",
  ];
  const ofToken = "business, wallet, scopes, expiresInS and audience";
  const ofFault = "times, oneIn, byMs and forMs";
  const records =
    "records must be an array of objects, or a text with one document a line, which keeps every digit";
  const digits =
    "must have 15 digits at most in an object, because JavaScript rounds longer numbers (give the records as text, which keeps every digit)";
  const count = "must be a whole number from 1 to 999999";
  const path = "must be empty or begin with a slash and not end with one";
  const prefixed = { brand: { prefix: "X-" } };
  const ofBrand = "headerPrefix, venue, ownAccount, versionHeader and basePath";
  const instant =
    "an instant: a Date, epoch milliseconds, or ISO 8601 with a zone, such as 2026-11-01T00:00:00Z";
  const zoned = "now must end with its zone, such as Z or +01:00";

  test.each<[Call, readonly unknown[], string]>([
    [
      "startCountinghouse",
      [null],
      `the first argument must be an object that may have ${ofStart}, and is null`,
    ],
    ["startCountinghouse", [[]], `the first argument must be an object that may have ${ofStart}, and is []`],
    ["startCountinghouse", [{ port: 3000 }], `the first argument has no "port": it may have ${ofStart}`],
    [
      "startCountinghouse",
      [{ Seed: 1 }],
      `the first argument has no "Seed" (did you mean seed?): it may have ${ofStart}`,
    ],
    ["startCountinghouse", [{ log: true }], "log must be a function, and is true"],
    ["startCountinghouse", [{ seed: 5 }], `seed must be what keys are derived from, ${text}, and is 5`],
    ["startCountinghouse", [{ now: "2026-11-01T12:00" }], `${zoned}, and is "2026-11-01T12:00"`],
    ["world", ["o", { demo: "no" }], 'demo must be true or false, and is "no"'],
    ["world", ["o", { tomorrow: 1 }], "tomorrow must be true or false, and is 1"],
    ["world", ["o", { now: Number.NaN }], `now must be ${instant}, and is NaN`],
    [
      "world",
      ["o", { now: Date.UTC(2002, 0) - 1 }],
      "now must be an instant from 2002 to 2098, and is 1009843199999",
    ],
    [
      "world",
      ["o", { now: Date.UTC(2099, 0) }],
      "now must be an instant from 2002 to 2098, and is 4070908800000",
    ],
    ["world", ["o", { brand: { basePath: "api/" } }], `brand.basePath ${path}, and is "api/"`],
    ["startCountinghouse", [{ corsOrigins: "a" }], 'corsOrigins must be an array of origins, and is "a"'],
    ["startCountinghouse", [{ corsOrigins: [5] }], "corsOrigins.0 must be a text, and is 5"],
    ["startCountinghouse", [prefixed], `brand has no "prefix": it may have ${ofBrand}`],
    ["startCountinghouse", [{ brand: { venue: 5 } }], "brand.venue must be a text, and is 5"],
    ["world", [], `name must be the world's name, ${text}, and is missing`],
    ["world", ["o", { seed: "x" }], `the second argument has no "seed": it may have ${ofOpen}`],
    ["passTime", [Number.NaN], "ms must be a number of milliseconds from 0 on, and is NaN"],
    [
      "passTime",
      ["6".repeat(200)],
      `ms must be a number of milliseconds from 0 on, and is "${"6".repeat(79)}…`,
    ],
    ["passTime", ["60"], 'ms must be a number of milliseconds from 0 on, and is "60"'],
    ["passTime", [60n], "ms must be a number of milliseconds from 0 on, and is 60n"],
    [
      "issueToken",
      [{ expiresIn: 60 }],
      `the first argument has no "expiresIn" (did you mean expiresInS?): it may have ${ofToken}`,
    ],
    ["issueToken", [{ scopes: "all" }], 'scopes must be an array of scopes, and is "all"'],
    [
      "importRecords",
      ["transactions"],
      `the second argument must be an object that may have owner and records, and is missing`,
    ],
    [
      "importRecords",
      ["trades", { owner: "o", records: "" }],
      'the second argument has no "owner": it may have market and records',
    ],
    [
      "importRecords",
      ["trades", { market: "btc usd", records: "" }],
      `market must be BASE-QUOTE in upper-case letters and digits, such as BTC-USD, and is "btc usd"`,
    ],
    [
      "importRecords",
      ["transactions", []],
      "the second argument must be an object that may have owner and records, and is []",
    ],
    ...(
      [
        ["1234567890123456800", { fiat: { amount: Number("1234567890123456789.1") } }],
        ["0.30000000000000004", { fiat: { amount: 0.1 + 0.2 } }],
        ["-1234567890.123456", { fiat: { amount: -1_234_567_890.123_456 } }],
        ["9007199254740991", { fiat: { amount: Number.MAX_SAFE_INTEGER } }],
        ["-1e+21", { fiat: { amount: -1e21 } }],
      ] as const
    ).map(([is, record]): [Call, readonly unknown[], string] => [
      "importRecords",
      ["sell-orders", { records: [{}, record] }],
      `records.1.fiat.amount ${digits}, and is ${is}`,
    ]),
    ["importRecords", ["passes", { records: {} }], `${records}, and is {}`],
    [
      "importRecords",
      ["passes", { records: [{ a: [1n] }] }],
      "records.0.a.0 must be what JSON can write, and is 1n",
    ],
    ["importRecords", ["passes", { records: [[]] }], `${records}, and is [[]]`],
    ["advance", [null], `id must be a record's id, ${text}, and is null`],
    ["advance", [{ length: 0n }], `id must be a record's id, ${text}, and is {"length":"0n"}`],
    ["advance", ["id", 5], `to must be a state, ${text}, and is 5`],
    ["fault", ["all", 503], `kind must be a fault's name, ${text}, and is 503`],
    ["fault", ["all", "503", { times: 0 }], `times ${count}, and is 0`],
    ["fault", ["all", "503", { times: "1" }], `times ${count}, and is "1"`],
    ["fault", ["all", "503", { oneIn: 0.5 }], `oneIn ${count}, and is 0.5`],
    [
      "fault",
      ["all", "503", { time: 1 }],
      `the third argument has no "time" (did you mean times?): it may have ${ofFault}`,
    ],
    [
      "fault",
      ["all", "503", "x"],
      `the third argument must be an object that may have ${ofFault}, and is "x"`,
    ],
    [
      "clearFaults",
      [() => {}],
      `endpoint must be an endpoint's name, route or path, ${text}, and is a function`,
    ],
  ])("%s refuses %o in a sentence", (call, given, sentence) => {
    expect(() => check(call, ...given)).toThrow(new ControlRefusal(`${call}: ${sentence}.`, 400));
  });

  test("whatever is given, the check takes it or refuses it by name, in a sentence of some lines at most", () => {
    const given = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true });
    fc.assert(
      fc.property(fc.constantFrom(...calls), fc.array(given, { maxLength: 3 }), (call, args) => {
        try {
          check(call, ...args);
        } catch (error) {
          expect(error).toBeInstanceOf(ControlRefusal);
          const { message } = error as Error;
          expect(message.startsWith(`${call}: `)).toBe(true);
          expect(Object.keys(doors[call]).some((name) => message.includes(name))).toBe(true);
          expect(message).not.toMatch(/Invalid input|\n {4}at |undefined/);
        }
      }),
      { numRuns: cases(200) },
    );
  });
});

test.each(["times", "oneIn"] as const)(
  "the bounds of a fault's %s are those of the command line",
  (member) => {
    const isTaken = (count: number): boolean => faultBounds[member].safeParse(count).success;
    const isParsed = (count: number): boolean => {
      try {
        return parseCount(String(count)) === count;
      } catch {
        return false;
      }
    };
    for (const count of [-1, 0, 1, 0.5, 999_999, 1_000_000]) expect(isTaken(count)).toBe(isParsed(count));
  },
);

test("a fault may last as long as on the command line, and delays an answer as long as a timer runs", () => {
  const { forMs, delayMs } = faultBounds;
  const longestMs = parseDuration("999999h");
  const taken = (bounds: typeof forMs, ...values: readonly number[]) =>
    values.filter((ms) => bounds.safeParse(ms).success);
  expect(taken(forMs, 0, 1, longestMs, longestMs + 1)).toEqual([1, longestMs]);
  const timerMs = 2 ** 31 - 1;
  expect(taken(delayMs, 0, 1, timerMs, timerMs + 1)).toEqual([1, timerMs]);
});

test("what is for people is told as it is", () => {
  expect(refusalOf(new ControlRefusal("No, because of this."))).toEqual({
    status: 409,
    refusal: "No, because of this.",
  });
});

test("a fault is told in one line, with its stack apart", () => {
  const error = new TypeError("x is not a function\n    at inner (chunk-1.mjs:1)");
  const { refusal, stack } = refusalOf(error);
  expect(refusal).toBe("The countinghouse failed, by a fault of its own: TypeError: x is not a function");
  expect(stack).toBe(error.stack);
  expect(refusalOf("thrown")).toEqual({
    status: 500,
    refusal: "The countinghouse failed, by a fault of its own: thrown",
  });
});
