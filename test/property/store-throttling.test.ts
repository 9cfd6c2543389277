import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DOCUMENTED_CAPACITY, Partitions } from "../../local/store/behaviour/partitions.ts";

const UNITS_PER_S = 10;
const BURST_MS = 2_000;
const MOST_UNITS = (UNITS_PER_S * BURST_MS) / 1_000;
const POSITIONS = ["1", "5", "9", "d"];

const request = fc.record({
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1_000, max: 20_000 })),
  position: fc.constantFrom(...POSITIONS),
  units: fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 30, noNaN: true })),
});
const requests = fc.array(request, { maxLength: 80 });

/** Partitions that never split, and the units that they admitted. */
function run(asked: readonly { waitMs: number; position: string; units: number }[]) {
  let now = 0;
  const capacity = {
    ...DOCUMENTED_CAPACITY,
    writeUnitsPerS: UNITS_PER_S,
    burstMs: BURST_MS,
    heatMs: Number.POSITIVE_INFINITY,
  };
  const partitions = new Partitions(capacity, () => now);
  const admitted = asked.flatMap(({ waitMs, position, units }) => {
    now += waitMs;
    if (!partitions.admits("Write", position)) return [];
    partitions.charge("Write", position, units);
    return { at: now, position, units };
  });
  const wait = (ms: number): void => {
    now += ms;
  };
  return { partitions, admitted, wait };
}

const sum = (all: readonly { readonly units: number }[]): number =>
  all.reduce((total, { units }) => total + units, 0);

describe("a partition that is throttled", () => {
  test("admits in any span no more than its units and those that it saved, except for the last request", () => {
    fc.assert(
      fc.property(requests, (asked) => {
        const { admitted } = run(asked);
        for (const position of POSITIONS) {
          const own = admitted.filter((each) => each.position === position);
          own.forEach((first, from) => {
            own.slice(from).forEach((last, length) => {
              const before = own.slice(from, from + length);
              const borne = MOST_UNITS + ((last.at - first.at) / 1_000) * UNITS_PER_S;
              expect(sum(before)).toBeLessThan(borne + 1e-6);
            });
          });
        }
      }),
    );
  });

  test("admits requests again when its debt is paid", () => {
    fc.assert(
      fc.property(requests, (asked) => {
        const { partitions, admitted, wait } = run(asked);
        wait((sum(admitted) / UNITS_PER_S) * 1_000 + 1);
        for (const position of POSITIONS) expect(partitions.admits("Write", position)).toBe(true);
      }),
    );
  });

  test("is not affected by requests to another", () => {
    fc.assert(
      fc.property(requests, fc.constantFrom(...POSITIONS), (asked, position) => {
        let waitMs = 0;
        const alone = asked.flatMap((each) => {
          waitMs += each.waitMs;
          if (each.position !== position) return [];
          const own = { ...each, waitMs };
          waitMs = 0;
          return own;
        });
        const own = run(asked).admitted.filter((each) => each.position === position);
        expect(run(alone).admitted).toEqual(own);
      }),
    );
  });
});
