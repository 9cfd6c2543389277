import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Gathered, latencyOf } from "../../../../bench/soak/interval.ts";

const use = { residentMb: 1, openFiles: 1 };

describe("the answers of an interval", () => {
  it("are counted once, each by its status", () => {
    const complaints = new Map<string, number>();
    const gathered = new Gathered(complaints);
    for (const status of [200, 200, 429, 401, 500, 503, 0])
      gathered.add({ endpoint: "get-pass", status, tookMs: 1, complaint: status === 200 ? "" : "why" });
    expect(gathered.close(10, use)).toMatchObject({ requests: 7, limited: 1, refused: 1, failed: 3 });
    expect([...complaints.values()]).toEqual([1, 1, 1, 1, 1]);
  });

  it("have the percentiles that their sorted list has", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 200 }),
        (times) => {
          const sorted = times.toSorted((a, b) => a - b);
          const { count, p50, p95, max } = latencyOf(times);
          expect(count).toBe(times.length);
          expect(max).toBe(sorted.at(-1));
          for (const [share, value] of [
            [0.5, p50],
            [0.95, p95],
          ] as const) {
            expect(sorted.filter((time) => time <= value).length).toBeGreaterThanOrEqual(
              share * times.length,
            );
            expect(sorted.filter((time) => time < value).length).toBeLessThan(share * times.length);
          }
        },
      ),
    );
  });
});
