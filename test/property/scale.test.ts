import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Experiment, type Outcome, run, type Second } from "../../scale/model/run.ts";
import { cases } from "../support/cases.ts";
import { drawsOf } from "../support/limit-simulation.ts";

const SECONDS = 4;
const never = Number.POSITIVE_INFINITY;
const capacityOf = (unitsPerS: number) => ({
  readUnitsPerS: unitsPerS,
  writeUnitsPerS: unitsPerS,
  burstMs: 0,
  heatMs: never,
});
const table = (unitsPerS: number, units: number) => ({
  kind: "Read" as const,
  units,
  keys: 1,
  place: "one item" as const,
  capacity: capacityOf(unitsPerS),
});
const PLENTY = 1e9;

const some = fc.integer({ min: 1, max: 200 });
/** Small experiments, of which each part may be the one that is short. */
const experiments = fc.record({
  rate: fc.integer({ min: 1, max: 400 }),
  requestsPerSecond: some,
  burst: some,
  concurrency: fc.integer({ min: 1, max: 20 }),
  requestsPerEnvironment: fc.integer({ min: 1, max: 50 }),
  scaling: fc.integer({ min: 1, max: 20 }),
  durationMs: fc.integer({ min: 1, max: 50 }),
  coldMs: fc.integer({ min: 0, max: 200 }),
  owners: fc.integer({ min: 1, max: 5 }),
  tokensBurst: fc.integer({ min: 3, max: 30 }),
  tokenMs: fc.integer({ min: 5, max: 100 }),
  tokens: fc.integer({ min: 1, max: 3 }),
  unitsPerS: some,
  units: fc.integer({ min: 1, max: 9 }),
  seed: fc.integer({ min: 1, max: 1e6 }),
});
type Given = typeof experiments extends fc.Arbitrary<infer Value> ? Value : never;

const experimentOf = (given: Given): Experiment => ({
  seconds: SECONDS,
  offered: () => given.rate,
  throttles: [{ requestsPerSecond: given.requestsPerSecond, burst: given.burst }],
  environments: given,
  owners: given.owners,
  buckets: [{ name: "bucket", burst: given.tokensBurst, tokenMs: given.tokenMs }],
  tokens: given.tokens,
  limits: { ...table(PLENTY, 1), keys: given.owners, kind: "Write" },
  reads: [table(given.unitsPerS, given.units)],
});

const play = (given: Given, changes: Partial<Experiment> = {}): Outcome =>
  run({ ...experimentOf(given), ...changes }, drawsOf(given.seed));

const sum = (seconds: readonly Second[], of: (second: Second) => number): number =>
  seconds.reduce((total, second) => total + of(second), 0);

/** Checks a bound at the end of each second: what passed until then, against what there was until then. */
function boundedBy(
  seconds: readonly Second[],
  passed: (second: Second) => number,
  first: number,
  perSecond: number,
): void {
  for (let end = 1; end <= seconds.length; end += 1)
    expect(sum(seconds.slice(0, end), passed)).toBeLessThanOrEqual(first + perSecond * end + 1e-6);
}

describe("nothing is served beyond a wall, at the end of any second:", () => {
  test("the gateway lets through its burst and what comes back", () => {
    fc.assert(
      fc.property(experiments, (given) => {
        const passed = ({ offered, refused }: Second) => offered - refused.gateway;
        boundedBy(play(given).seconds, passed, given.burst, given.requestsPerSecond);
      }),
    );
  });

  test("Lambda begins no more environments than it has, nor faster than it gives them, and takes no more calls than they may", () => {
    fc.assert(
      fc.property(experiments, (given) => {
        const { seconds } = play(given);
        boundedBy(seconds, ({ coldStarts }) => coldStarts, given.scaling, given.scaling / 10);
        for (const { environments } of seconds) expect(environments).toBeLessThanOrEqual(given.concurrency);
        const requests = given.concurrency * given.requestsPerEnvironment;
        boundedBy(
          seconds,
          ({ offered, refused }) => offered - refused.gateway - refused.lambda,
          requests,
          requests,
        );
        const most = (given.concurrency * 1_000) / given.durationMs;
        boundedBy(seconds, ({ served }) => served, given.concurrency, most);
      }),
    );
  });

  test("a partition gives its units, and at most one call's more on credit", () => {
    fc.assert(
      fc.property(experiments, (given) => {
        const { seconds, readUnits } = play(given);
        expect(readUnits).toEqual([given.units * sum(seconds, ({ served }) => served)]);
        boundedBy(
          seconds,
          ({ served }) => given.units * served,
          given.unitsPerS + given.units,
          given.unitsPerS,
        );
      }),
    );
  });
});

describe("nothing is lost:", () => {
  test("every call is served, or refused by one part", () => {
    fc.assert(
      fc.property(experiments, (given) => {
        for (const { offered, served, refused } of play(given).seconds)
          expect(served + refused.gateway + refused.lambda + refused.limit + refused.store).toBe(offered);
      }),
    );
  });

  test("tokens are charged for calls that passed the limit, and for no others, and never more than owners have", () => {
    fc.assert(
      fc.property(experiments, (given) => {
        const { seconds, tokensCharged } = play(given);
        // The table of the limits has plenty, so the store refuses only calls that have paid.
        expect(tokensCharged).toBe(
          given.tokens * sum(seconds, ({ served, refused }) => served + refused.store),
        );
        const eachOwner = given.tokensBurst + (SECONDS * 1_000) / given.tokenMs;
        expect(tokensCharged).toBeLessThanOrEqual(given.owners * eachOwner);
      }),
    );
  });

  test("where nothing is short, nothing is refused", () => {
    fc.assert(
      fc.property(experiments, (given) => {
        const { seconds } = play(given, {
          throttles: [{ requestsPerSecond: PLENTY, burst: PLENTY }],
          environments: { ...given, concurrency: PLENTY, scaling: PLENTY },
          buckets: [],
          reads: [table(PLENTY, given.units)],
        });
        expect(sum(seconds, ({ served }) => served)).toBe(sum(seconds, ({ offered }) => offered));
      }),
    );
  });
});

describe("a seed", () => {
  test("decides the whole outcome", () => {
    fc.assert(
      fc.property(experiments, (given) => {
        expect(play(given)).toEqual(play(given));
      }),
      { numRuns: cases(4) },
    );
  });

  test("is all that two outcomes differ by", () => {
    const given = fc.sample(experiments, { numRuns: 1, seed: 1 })[0];
    if (given === undefined) throw new Error("Nothing was drawn.");
    const offered = [1, 2].map((seed) =>
      play({ ...given, rate: 300, seed }).seconds.map((second) => second.offered),
    );
    expect(offered[0]).not.toEqual(offered[1]);
  });
});

test("as many calls arrive as are sent, on average", () => {
  for (const rate of [3, 200, 9_000]) {
    const { seconds } = run(
      {
        ...experimentOf({ ...(fc.sample(experiments, { numRuns: 1, seed: 2 })[0] as Given), rate }),
        seconds: 20,
      },
      drawsOf(7),
    );
    const mean = sum(seconds, ({ offered }) => offered) / 20;
    // Four standard deviations of the mean of so many independent arrivals.
    expect(Math.abs(mean - rate)).toBeLessThan(4 * Math.sqrt(rate / 20));
  }
});
