import { describe, expect, test } from "vitest";
import { readResults } from "../../../bench/results.ts";
import { usualAccount } from "../../../bench/scaling/quotas.ts";
import { type Deployment, type Scope, type Wall, wallsOf } from "../../../bench/scaling/walls.ts";
import { type Workload, workloadsOf } from "../../../bench/scaling/workloads.ts";
import { testStage } from "../../support/test-stage.ts";

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

test("walls are in the order in which calls meet them", () => {
  const rates = wallsOf(workload("get-pass"), deployment).map(({ callsPerSecond }: Wall) => callsPerSecond);
  expect(rates).toEqual(rates.toSorted((a, b) => a - b));
});
