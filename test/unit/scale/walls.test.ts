import { describe, expect, test } from "vitest";
import { readResults } from "../../../bench/results.ts";
import { type Experiment, type Refuser, run } from "../../../scale/model/run.ts";
import type { TableProps } from "../../../scale/model/table.ts";
import { quotas, usualAccount } from "../../../scale/quotas.ts";
import { type Deployment, type Scope, type Wall, wallsOf } from "../../../scale/walls.ts";
import { type Workload, workloadsOf } from "../../../scale/workloads.ts";
import { drawsOf } from "../../support/limit-simulation.ts";
import { testStage } from "../../support/synthesize.ts";

const workloads = await workloadsOf(await readResults());
const deployment: Deployment = { stage: testStage(), account: usualAccount };

function workload(call: string): Workload {
  const found = workloads.find((one) => one.call.startsWith(call));
  if (found === undefined) throw new Error(`No call begins with ${call}.`);
  return found;
}

function rateOf(name: RegExp, call: string, settings: Partial<Deployment> = {}): number {
  const found = wallsOf(workload(call), { ...deployment, ...settings }).find((wall) => name.test(wall.name));
  if (found === undefined) throw new Error(`${call} has no wall ${name}.`);
  return found.callsPerSecond;
}

describe("the rate of a wall follows from first principles:", () => {
  test("an owner's bucket gives what comes back to it: 1,000 tokens in 60 s, and 100 in one", () => {
    expect(rateOf(/bucket minute/, "list-trades")).toBeCloseTo(1_000 / 60, 9);
    expect(rateOf(/bucket second/, "list-trades")).toBe(100);
  });

  test("a stage's own buckets take the place of the contract's", () => {
    const ramp = [{ name: "ramp", burst: 10, refillTokens: 5, refillWindowMs: 1_000 }];
    const stage = testStage({ rateLimits: { ramp } });
    expect(rateOf(/owner's limit/, "get-sell-order", { stage })).toBe(5);
    expect(rateOf(/route's throttle/, "get-sell-order", { stage })).toBe(50);
  });

  test("one item bears 1,000 writes and 3,000 strong reads a second", () => {
    expect(rateOf(/RateLimits$/, "get-pass")).toBeGreaterThan(999);
    expect(rateOf(/item of an owner in RateLimits/, "get-pass")).toBe(1_000);
    expect(rateOf(/item of an owner in Credentials/, "get-pass")).toBe(3_000);
  });

  test("a market's newest page takes its units of the 3,000 of one partition", () => {
    const { accesses } = workload("list-trades, newest");
    const units = accesses.find(({ table }) => table === "Trades")?.units ?? Number.NaN;
    expect(rateOf(/newest items of a market/, "list-trades, newest")).toBe(3_000 / units);
    // Strongly consistent, which costs twice as much as the same page an hour later.
    const later = workload("list-trades, 1,000 older").accesses.find(({ table }) => table === "Trades");
    expect(units).toBe(2 * (later?.units ?? Number.NaN));
  });

  test("a new table has a tenth of the writes and three tenths of the reads of a whole one", () => {
    expect(rateOf(/^RateLimits, as long as/, "get-pass")).toBe(4_000);
    expect(rateOf(/quota of RateLimits/, "get-pass")).toBe(40_000);
    expect(rateOf(/^by-created, as long as/, "list-transactions")).toBe(12_000 / 7.5);
  });

  test("Lambda has its environments, and ten requests a second for each", () => {
    const account = { ...usualAccount, concurrency: 10 };
    expect(rateOf(/requests a second/, "get-pass", { account })).toBe(100);
    const [whole, tenth] = [usualAccount, { ...usualAccount, concurrency: 100 }].map((granted) =>
      rateOf(/environments of the account/, "get-pass", { account: granted }),
    );
    expect(whole).toBeCloseTo(10 * (tenth ?? 0), 6);
  });

  test("reserved environments bound their function in place of the account's", () => {
    const stage = testStage({ functions: { reservedConcurrency: { "get-pass": 10 } } });
    const whole = rateOf(/environments of the account/, "get-pass");
    expect(rateOf(/reserved environments/, "get-pass", { stage })).toBeCloseTo(whole / 100, 6);
  });
});

describe("every kind of call", () => {
  test.each(workloads)(
    "$call meets walls for one owner and for all, each with a price and a remedy",
    (one) => {
      const walls = wallsOf(one, deployment);
      expect(walls.map(({ scope }) => scope)).toEqual(
        expect.arrayContaining<Scope>(["one owner", "all callers"]),
      );
      for (const { callsPerSecond, dollarsPerHour, lift } of walls) {
        expect(callsPerSecond).toBeGreaterThan(0);
        expect(dollarsPerHour / callsPerSecond).toBeCloseTo(
          (walls[0]?.dollarsPerHour ?? 0) / (walls[0]?.callsPerSecond ?? 1),
          9,
        );
        expect(lift).not.toBe("");
      }
    },
  );

  test.each(workloads)("$call: an owner meets its own limit before any part that others share", (one) => {
    const [first] = wallsOf(one, deployment);
    expect(first).toMatchObject({ scope: "one owner", name: expect.stringMatching(/^the owner's limit/) });
  });
});

/** An experiment in which nothing is short. */
const plenty: TableProps = {
  kind: "Read",
  units: 1,
  keys: 1,
  place: "one item",
  capacity: { readUnitsPerS: 1e9, writeUnitsPerS: 1e9, burstMs: 0, heatMs: Number.POSITIVE_INFINITY },
};
const free: Experiment = {
  seconds: 20,
  offered: () => 0,
  throttles: [],
  environments: { durationMs: 5, coldMs: 50, concurrency: 1e6, requestsPerEnvironment: 10, scaling: 1e6 },
  owners: 1,
  buckets: [],
  tokens: 1,
  limits: { ...plenty, kind: "Write" },
  reads: [plenty],
};
const documented = {
  readUnitsPerS: quotas.partitionReads.value,
  writeUnitsPerS: quotas.partitionWrites.value,
  burstMs: 0,
  heatMs: Number.POSITIVE_INFINITY,
};

describe("a wall holds in play where arithmetic has it:", () => {
  const played: readonly (readonly [string, Refuser, number, Partial<Experiment>])[] = [
    ["an owner's limit", "limit", 20, { buckets: [{ name: "b", burst: 5, tokenMs: 50 }] }],
    ["the newest page of a market", "store", 375, { reads: [{ ...plenty, units: 8, capacity: documented }] }],
    ["the item of an owner", "store", 1_000, { limits: { ...plenty, kind: "Write", capacity: documented } }],
    [
      "a new table",
      "store",
      4_000,
      {
        owners: 400,
        limits: { ...plenty, kind: "Write", keys: 400, place: "spread", capacity: documented },
      },
    ],
    ["a throttle", "gateway", 200, { throttles: [{ requestsPerSecond: 200, burst: 100 }] }],
    [
      "Lambda's requests",
      "lambda",
      100,
      { environments: { ...free.environments, concurrency: 10, requestsPerEnvironment: 10 } },
    ],
    [
      "Lambda's environments",
      "lambda",
      500,
      {
        environments: { ...free.environments, durationMs: 20, concurrency: 10, requestsPerEnvironment: 1e6 },
      },
    ],
  ];

  test.each(played)(
    "%s lets fewer calls pass unharmed, and refuses no more than what is above it",
    (_, refuser, rate, changes) => {
      const above = run({ ...free, ...changes, offered: () => 2 * rate }, drawsOf(1)).seconds.slice(5);
      const perSecond = above.reduce((sum, { served }) => sum + served, 0) / above.length;
      expect(perSecond).toBeLessThanOrEqual(rate * 1.01);
      expect(perSecond).toBeGreaterThan(rate * 0.85);
      const below = run({ ...free, ...changes, offered: () => rate / 2 }, drawsOf(1)).seconds;
      const refusals = (seconds: typeof below): number =>
        seconds.reduce((sum, { refused }) => sum + refused[refuser], 0);
      const offered = below.reduce((sum, second) => sum + second.offered, 0);
      expect(refusals(below)).toBeLessThan(offered * 0.05);
      expect(refusals(above)).toBe(above.reduce((sum, second) => sum + second.offered - second.served, 0));
    },
  );
});

describe("the heat of one key", () => {
  const servedAtEnd = (reads: Partial<TableProps>): number => {
    const capacity = { ...documented, readUnitsPerS: 100, heatMs: 2_000 };
    const hot = { ...free, reads: [{ ...plenty, capacity, ...reads }], offered: () => 400 };
    return run(hot, drawsOf(1)).seconds.at(-1)?.served ?? 0;
  };

  test("is split among partitions where calls are all over its range, until all are served", () => {
    expect(servedAtEnd({ place: "spread" })).toBeGreaterThan(300);
  });

  test("stays where it is when calls meet at one item, or at the newest ones", () => {
    for (const place of ["one item", "newest items"] as const)
      expect(servedAtEnd({ place })).toBeLessThanOrEqual(101);
  });

  test("is divided among mirrors, even if two of them begin in one partition", () => {
    expect(servedAtEnd({ place: "newest items", keys: 4 })).toBeGreaterThan(350);
  });
});

test("walls are in the order in which calls meet them", () => {
  const rates = wallsOf(workload("get-pass"), deployment).map(({ callsPerSecond }: Wall) => callsPerSecond);
  expect(rates).toEqual(rates.toSorted((a, b) => a - b));
});
