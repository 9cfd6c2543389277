import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControlRefusal } from "../../../../local/control/control-route.ts";
import { faultBounds } from "../../../../local/faults/fault-routes.ts";
import { parseCount } from "../../../../ops/arguments/parse-count.ts";
import { parseDuration } from "../../../../ops/arguments/parse-duration.ts";
import { type Call, checkArguments, doors } from "../../../../publish/embed/doors.ts";
import { readArguments, writeArguments } from "../../../../publish/embed/messages.ts";
import { cases } from "../../../support/cases.ts";

const calls = Object.keys(doors) as Call[];

/** Checks arguments as the thread does that receives them. */
const check = (call: Call, ...given: readonly unknown[]): void =>
  checkArguments(call, readArguments(writeArguments(given)));

describe("the arguments of a call are checked before anything is done", () => {
  test.each<[Call, readonly unknown[]]>([
    ["start", []],
    ["start", [undefined]],
    ["start", [{ seed: "s", now: 1_800_000_000_000, brand: {}, corsOrigins: [], log: () => {} }]],
    ["open", ["one", { now: undefined, brand: { venue: "ACME" } }]],
    ["passTime", [0.5]],
    ["issueToken", [{ scopes: [], expiresInS: -60 }]],
    ["importRecords", ["transactions", { records: [{}] }]],
    ["importRecords", ["trades", { market: "NEW-USD", records: "" }]],
    ["advance", ["id"]],
    ["fault", ["all", "slow", { byMs: 1, times: 999_999, oneIn: 1, forMs: undefined }]],
    ["clearFaults", []],
    ["reset", []],
  ])("%s takes %o", (call, given) => {
    expect(check(call, ...given)).toBeUndefined();
  });

  test.each<[Call, readonly unknown[], string]>([
    [
      "start",
      [null],
      "startCountinghouse: options must be an object that may have now, brand, seed, corsOrigins and log, and is null.",
    ],
    [
      "start",
      [[]],
      "startCountinghouse: options must be an object that may have now, brand, seed, corsOrigins and log, and is [].",
    ],
    [
      "start",
      [{ port: 3000 }],
      'startCountinghouse: options has no "port": it may have now, brand, seed, corsOrigins and log.',
    ],
    [
      "start",
      [{ Seed: 1 }],
      'startCountinghouse: options has no "Seed" (did you mean seed?): it may have now, brand, seed, corsOrigins and log.',
    ],
    ["start", [{ log: true }], "startCountinghouse: options.log must be a function, and is true."],
    [
      "start",
      [{ seed: 5 }],
      "startCountinghouse: options.seed must be what keys are derived from, a text of 1 to 250 characters, and is 5.",
    ],
    [
      "start",
      [{ now: 1_700_000_000 }],
      "startCountinghouse: options.now must be an instant from 2001 to 2098, as a Date or in epoch milliseconds, and is 1700000000.",
    ],
    [
      "start",
      [{ corsOrigins: "http://x" }],
      'startCountinghouse: options.corsOrigins must be an array of origins, and is "http://x".',
    ],
    ["start", [{ corsOrigins: [5] }], "startCountinghouse: options.corsOrigins.0 must be a text, and is 5."],
    [
      "start",
      [{ brand: { prefix: "X-" } }],
      'startCountinghouse: options.brand has no "prefix": it may have headerPrefix, venue, ownAccount, versionHeader and basePath.',
    ],
    ["start", [{ brand: { venue: 5 } }], "startCountinghouse: options.brand.venue must be a text, and is 5."],
    ["open", [], "world: name must be the world's name, a text of 1 to 250 characters, and is missing."],
    ["open", ["o", { seed: "x" }], 'world: options has no "seed": it may have now and brand.'],
    ["passTime", [Number.NaN], "passTime: ms must be a number of milliseconds from 0 on, and is NaN."],
    ["passTime", ["60"], 'passTime: ms must be a number of milliseconds from 0 on, and is "60".'],
    ["passTime", [60n], "passTime: ms must be a number of milliseconds from 0 on, and is 60n."],
    [
      "issueToken",
      [{ expiresIn: 60 }],
      'issueToken: order has no "expiresIn" (did you mean expiresInS?): it may have business, wallet, scopes, expiresInS and audience.',
    ],
    [
      "issueToken",
      [{ scopes: "transactions.read" }],
      'issueToken: order.scopes must be an array of scopes, and is "transactions.read".',
    ],
    [
      "importRecords",
      ["transactions"],
      "importRecords: order must be an object that may have owner and records, and is missing.",
    ],
    [
      "importRecords",
      ["trades", { owner: "o", records: "" }],
      'importRecords: order has no "owner": it may have market and records.',
    ],
    [
      "importRecords",
      ["trades", { market: "btc usd", records: "" }],
      'importRecords: order.market must be BASE-QUOTE in upper-case letters and digits, such as BTC-USD, and is "btc usd".',
    ],
    [
      "importRecords",
      ["passes", { records: {} }],
      "importRecords: order.records must be an array of objects that JSON can write, or a text with one document a line, which keeps every digit, and is {}.",
    ],
    [
      "importRecords",
      ["passes", { records: [{ a: [1n] }] }],
      'importRecords: order.records must be an array of objects that JSON can write, or a text with one document a line, which keeps every digit, and is [{"a":["1n"]}].',
    ],
    ["advance", [null], "advance: id must be a record's id, a text of 1 to 250 characters, and is null."],
    ["advance", ["id", 5], "advance: to must be a state, a text of 1 to 250 characters, and is 5."],
    ["fault", ["all", 503], "fault: kind must be a fault's name, a text of 1 to 250 characters, and is 503."],
    [
      "fault",
      ["all", "503", { times: 0 }],
      "fault: options.times must be a whole number from 1 to 999999, and is 0.",
    ],
    [
      "fault",
      ["all", "503", { times: "1" }],
      'fault: options.times must be a whole number from 1 to 999999, and is "1".',
    ],
    [
      "fault",
      ["all", "503", { oneIn: 0.5 }],
      "fault: options.oneIn must be a whole number from 1 to 999999, and is 0.5.",
    ],
    [
      "fault",
      ["all", "503", { time: 1 }],
      'fault: options has no "time" (did you mean times?): it may have times, oneIn, byMs and forMs.',
    ],
    [
      "fault",
      ["all", "503", "x"],
      'fault: options must be an object that may have times, oneIn, byMs and forMs, and is "x".',
    ],
    [
      "clearFaults",
      [() => {}],
      "clearFaults: endpoint must be an endpoint's name, route or path, a text of 1 to 250 characters, and is a function.",
    ],
  ])("%s refuses %o in a sentence", (call, given, sentence) => {
    expect(() => check(call, ...given)).toThrow(new ControlRefusal(sentence));
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
          expect(message.startsWith(`${doors[call].name}: `)).toBe(true);
          expect(doors[call].parameters.some((name) => message.includes(name))).toBe(true);
          expect(message).not.toMatch(/Invalid input|\n {4}at |undefined/);
        }
      }),
      { numRuns: cases(200) },
    );
  });

  test("no argument but an object takes a member that nobody reads", () => {
    for (const [call, ...before] of [
      ["start"],
      ["open", "n"],
      ["issueToken"],
      ["fault", "all", "cut"],
    ] as const)
      expect(() => check(call, ...before, { zzz: 1 })).toThrow(/ has no "zzz": it may have /);
    for (const kind of ["transactions", "sell-orders", "passes", "trades"])
      expect(() => check("importRecords", kind, { records: "", zzz: 1 })).toThrow(/ has no "zzz"/);
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
  expect([0, 1, longestMs, longestMs + 1].map((ms) => forMs.safeParse(ms).success)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const timerMs = 2 ** 31 - 1;
  expect([0, 1, timerMs, timerMs + 1].map((ms) => delayMs.safeParse(ms).success)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
