import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketWidth } from "../../../../page/src/market/bucket-width.ts";
import { fitted, moved, spanOf, VIEW_MS_MIN, type View, zoomed } from "../../../../page/src/market/view.ts";

const DAY_MS = 86_400_000;
const BOUNDS: View = { fromMs: 0, toMs: 10 * DAY_MS };

describe("a view", () => {
  test("keeps the instant under the pointer in its place when it is zoomed", () => {
    const view = { fromMs: 2 * DAY_MS, toMs: 6 * DAY_MS };
    expect(zoomed(view, 0.5, BOUNDS, 3 * DAY_MS)).toEqual({ fromMs: 2.5 * DAY_MS, toMs: 4.5 * DAY_MS });
    expect(zoomed(view, 0.5, BOUNDS)).toEqual({ fromMs: 3 * DAY_MS, toMs: 5 * DAY_MS });
  });

  test("is pushed back at an edge with its whole span", () => {
    const view = { fromMs: DAY_MS, toMs: 3 * DAY_MS };
    expect(moved(view, 0.25, BOUNDS)).toEqual({ fromMs: 1.5 * DAY_MS, toMs: 3.5 * DAY_MS });
    expect(moved(view, -1, BOUNDS)).toEqual({ fromMs: 0, toMs: 2 * DAY_MS });
    expect(moved(view, 9, BOUNDS)).toEqual({ fromMs: 8 * DAY_MS, toMs: 10 * DAY_MS });
  });

  test("becomes all there is when it would be longer, and no shorter than ten seconds", () => {
    expect(zoomed({ fromMs: DAY_MS, toMs: 7 * DAY_MS }, 2, BOUNDS)).toEqual(BOUNDS);
    expect(spanOf(zoomed({ fromMs: 0, toMs: 15_000 }, 0.5, BOUNDS))).toBe(VIEW_MS_MIN);
    expect(zoomed({ fromMs: 5, toMs: 8 }, 0.5, { fromMs: 5, toMs: 8 })).toEqual({ fromMs: 5, toMs: 8 });
  });

  test("stays inside of its bounds in whole milliseconds, however it is zoomed and moved", () => {
    const bounds = fc
      .tuple(fc.nat(2 ** 41), fc.nat(60 * DAY_MS))
      .map(([fromMs, spanMs]) => ({ fromMs, toMs: fromMs + spanMs }));
    const step = fc.record({
      factor: fc.double({ min: 0.1, max: 10, noNaN: true }),
      share: fc.double({ min: -3, max: 3, noNaN: true }),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(bounds, fc.array(step, { maxLength: 12 }), (all, steps) => {
        let view = fitted(all, all);
        expect(view).toEqual(all);
        for (const { factor, share, at } of steps) {
          view = zoomed(view, factor, all, view.fromMs + at * spanOf(view));
          view = moved(view, share, all);
          expect(view.fromMs).toBeGreaterThanOrEqual(all.fromMs);
          expect(view.toMs).toBeLessThanOrEqual(all.toMs);
          expect(spanOf(view)).toBeGreaterThanOrEqual(Math.min(VIEW_MS_MIN, spanOf(all)));
          expect([view.fromMs, view.toMs].every(Number.isSafeInteger)).toBe(true);
        }
      }),
    );
  });
});

describe("the width of a view's buckets", () => {
  test.each([
    [DAY_MS, 98, "15 minutes"],
    [DAY_MS, 97, "hour"],
    [7 * DAY_MS, 60, "3 hours"],
    [30 * DAY_MS, 40, "day"],
    [VIEW_MS_MIN, 24, "second"],
    [400 * DAY_MS, 24, "7 days"],
  ])("of %d ms in %d buckets is a %s", (spanMs, bucketsMax, name) => {
    expect(bucketWidth(spanMs, bucketsMax).name).toBe(name);
  });

  test("never gives a view of up to 60 days more buckets than were wanted, wherever it begins", () => {
    const spans = fc.integer({ min: VIEW_MS_MIN, max: 60 * DAY_MS });
    fc.assert(
      fc.property(fc.nat(2 ** 41), spans, fc.integer({ min: 24, max: 120 }), (fromMs, spanMs, bucketsMax) => {
        const { widthMs } = bucketWidth(spanMs, bucketsMax);
        const touched = Math.floor((fromMs + spanMs) / widthMs) - Math.floor(fromMs / widthMs) + 1;
        expect(touched).toBeLessThanOrEqual(bucketsMax);
      }),
    );
  });
});
