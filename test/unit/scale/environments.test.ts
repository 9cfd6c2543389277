import { describe, expect, test } from "vitest";
import { Environments } from "../../../scale/model/environments.ts";
import { Supply } from "../../../scale/model/supply.ts";

const usual = { durationMs: 10, coldMs: 90, concurrency: 1_000, requestsPerEnvironment: 10, scaling: 1_000 };
const times = (count: number, take: () => string | undefined) => Array.from({ length: count }, take);

describe("the environments of a function", () => {
  test("take their next call in the very ms in which the one before ends, and not a ms sooner", () => {
    const environments = new Environments(usual, 0);
    expect(environments.take(0)).toBe("cold");
    expect(environments.take(99)).toBe("cold");
    expect(environments.take(100)).toBe("warm");
    expect(environments.take(109)).toBe("cold");
    expect(environments.take(110)).toBe("warm");
    expect(environments.count).toBe(3);
  });

  test("work on as many calls at once as the quota says, and refuse the next one", () => {
    const environments = new Environments({ ...usual, concurrency: 3, requestsPerEnvironment: 100 }, 0);
    expect(times(4, () => environments.take(0))).toEqual(["cold", "cold", "cold", undefined]);
    expect(environments.busy).toBe(3);
    expect(environments.take(100)).toBe("warm");
  });

  test("begin a thousand at once, and then one in ten ms (1,000 in ten seconds)", () => {
    const environments = new Environments({ ...usual, concurrency: 10_000 }, 0);
    const first = times(1_001, () => environments.take(0));
    expect(first.filter((kind) => kind === "cold")).toHaveLength(1_000);
    expect(environments.take(9)).toBeUndefined();
    expect(environments.take(10)).toBe("cold");
    expect(environments.take(10)).toBeUndefined();
  });

  test("take ten calls a second for each environment of the quota, however short the calls are", () => {
    const environments = new Environments({ ...usual, durationMs: 1, coldMs: 0, concurrency: 2 }, 0);
    // Twenty at once are the supply of a second; one environment after the other is idle again in between.
    const taken = Array.from({ length: 40 }, (_, ms) => environments.take(ms));
    expect(taken.slice(0, 20)).not.toContain(undefined);
    expect(taken.slice(20)).toContain(undefined);
    const second = Array.from({ length: 1_000 }, (_, ms) => environments.take(1_000 + ms));
    expect(second.filter((kind) => kind !== undefined).length).toBeLessThanOrEqual(40);
  });
});

test("a supply gives what comes back, and keeps no more than its most", () => {
  const supply = new Supply(10, 2, 0);
  expect([supply.take(0), supply.take(0), supply.take(0)]).toEqual([true, true, false]);
  expect([supply.take(99), supply.take(100)]).toEqual([false, true]);
  expect([supply.take(60_000), supply.take(60_000), supply.take(60_000)]).toEqual([true, true, false]);
});
