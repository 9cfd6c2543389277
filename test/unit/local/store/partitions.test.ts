import { describe, expect, test } from "vitest";
import {
  capacityShare,
  DOCUMENTED_CAPACITY,
  type PartitionCapacity,
  Partitions,
  type UnitKind,
} from "../../../../local/store/behaviour/partitions.ts";

/** Partitions under a clock that the test moves. */
function simulated(capacity: Partial<PartitionCapacity> = {}) {
  const state = { now: 1_000_000 };
  const partitions = new Partitions({ ...DOCUMENTED_CAPACITY, ...capacity }, () => state.now);
  const use = (position: string, kind: UnitKind = "Write", units = 1): boolean => {
    const isAdmitted = partitions.admits(kind, position);
    if (isAdmitted) partitions.charge(kind, position, units);
    return isAdmitted;
  };
  const useAll = (positions: readonly string[], kind: UnitKind = "Write"): number =>
    positions.filter((position) => use(position, kind)).length;
  return { state, partitions, use, useAll };
}

const times = (count: number, position: string): string[] => Array.from({ length: count }, () => position);
/** Positions spread over one of the first four partitions. */
const spread = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `1${(at % 256).toString(16).padStart(2, "0")}`);

describe("a partition has a limited capacity", () => {
  test.each([
    ["Write", 1_000],
    ["Read", 3_000],
  ] as const)("%s units in the first second: %i, and not one more", (kind, units) => {
    const { useAll } = simulated();
    expect(useAll(times(units + 10, "1"), kind)).toBe(units);
  });

  test("reads and writes do not take each other's units", () => {
    const { use, useAll } = simulated();
    useAll(times(1_001, "1"));
    expect(use("1", "Write")).toBe(false);
    expect(use("1", "Read")).toBe(true);
  });

  test("a table begins with four partitions, which do not take each other's units", () => {
    const { useAll, partitions } = simulated();
    expect(useAll(["1", "5", "9", "d"].flatMap((position) => times(1_500, position)))).toBe(4_000);
    expect(partitions.count).toBe(4);
  });

  test("used units come back millisecond by millisecond", () => {
    const { state, use, useAll } = simulated();
    useAll(times(1_001, "1"));
    state.now += 1;
    expect([use("1"), use("1")]).toEqual([true, false]);
  });

  test("a big request is admitted while there are units left, and leaves a debt", () => {
    const { state, use } = simulated();
    expect(use("1", "Write", 1_400)).toBe(true);
    state.now += 400;
    expect(use("1")).toBe(false);
    state.now += 1;
    expect(use("1")).toBe(true);
  });

  test("unused units are kept, up to those of five minutes", () => {
    const { state, useAll } = simulated();
    state.now += 10_000;
    expect(useAll(times(12_000, "1"))).toBe(11_000);
    state.now += 3_600_000;
    expect(useAll(times(310_000, "1"))).toBe(300_000);
  });

  test("a share of the capacity also limits the unused units that are kept", () => {
    const { state, useAll } = simulated(capacityShare(0.01));
    expect(useAll(times(100, "1"))).toBe(10);
    expect(useAll(times(100, "1"), "Read")).toBe(30);
    state.now += 3_600_000;
    expect(useAll(times(4_000, "1"))).toBe(3_000);
  });
});

const HOT: Partial<PartitionCapacity> = { writeUnitsPerS: 10, burstMs: 0, heatMs: 5_000 };

/** How much of the demand is admitted in each of some seconds. */
function admittedBySecond(
  demand: readonly string[],
  seconds: number,
  { state, useAll }: ReturnType<typeof simulated>,
) {
  return Array.from({ length: seconds }, () => {
    state.now += 1_000;
    return useAll(demand);
  });
}

describe("a partition that is hot for long splits", () => {
  test("a range of many keys ends up with all the units that it asks for", () => {
    const simulation = simulated(HOT);
    const admitted = admittedBySecond(spread(80), 60, simulation);
    expect(admitted.slice(0, 5)).toEqual([10, 10, 10, 10, 10]);
    expect(admitted.at(-1)).toBe(80);
    expect(simulation.partitions.count).toBeGreaterThanOrEqual(11);
  });

  test("it splits after it was hot for the given time, and not before", () => {
    const { state, useAll, partitions } = simulated(HOT);
    useAll(spread(80));
    for (; state.now < 1_004_999; state.now += 1_000) useAll(spread(80));
    state.now = 1_004_999;
    useAll(spread(80));
    expect(partitions.count).toBe(4);
    state.now = 1_005_000;
    useAll(spread(80));
    expect(partitions.count).toBeGreaterThan(4);
  });

  test("one that cools down in between does not split", () => {
    const { state, useAll, partitions } = simulated(HOT);
    for (let round = 0; round < 10; round += 1) {
      useAll(spread(80));
      state.now += 10_001;
    }
    expect(partitions.count).toBe(4);
  });

  test("a single hot item stays throttled forever", () => {
    const simulation = simulated(HOT);
    expect(new Set(admittedBySecond(times(80, "1"), 600, simulation))).toEqual(new Set([10]));
    expect(simulation.partitions.count).toBe(4);
  });

  test("a hot item ends up in a partition of its own, and its neighbours are not throttled", () => {
    const simulation = simulated(HOT);
    const demand = [...times(60, "15"), "12", "14", "16", "18"];
    const admitted = admittedBySecond(demand, 120, simulation);
    expect(admitted.at(-1)).toBe(14);
  });

  test("positions that only grow stay throttled", () => {
    const simulation = simulated(HOT);
    let next = 0;
    const growing = Array.from({ length: 120 }, () => {
      simulation.state.now += 1_000;
      return simulation.useAll(Array.from({ length: 80 }, () => `1${String(next++).padStart(8, "0")}`));
    });
    expect(Math.max(...growing.slice(60))).toBeLessThan(40);
  });
});
