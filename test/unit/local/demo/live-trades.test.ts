import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { comparePlaces, type Trade } from "../../../../lib/trades/trade.ts";
import { tradeViolation } from "../../../../lib/trades/trade-rules.ts";
import { runLiveTrades, tradesIn } from "../../../../local/demo/live-trades.ts";
import { busyTrades, demoMarkets, spreadOf } from "../../../../local/demo/trade-plan.ts";
import { cases } from "../../../support/cases.ts";

const START = Date.parse("2026-11-28T12:00:00Z");

interface Run {
  readonly perSecond: number;
  readonly forMs?: number;
  /** By how much each wait is longer than it was asked for. */
  readonly lateMs?: readonly number[];
  /** The time after which the run is stopped. */
  readonly stopAfterMs?: number;
  readonly write?: (trades: readonly Trade[]) => Promise<void>;
}

/** Runs a market by a clock that only waits move. */
async function run({ perSecond, forMs, lateMs = [], stopAfterMs, write }: Run) {
  let now = START;
  let waits = 0;
  const stop = new AbortController();
  const batches: (readonly Trade[])[] = [];
  const totals: number[] = [];
  const total = await runLiveTrades({
    market: "BTC-USD",
    perSecond,
    forMs,
    write: write ?? (async (trades) => void batches.push(trades)),
    onWritten: (written) => totals.push(written),
    stop: stop.signal,
    clock: () => now,
    wait: async (ms) => {
      now += ms + (lateMs[waits] ?? 0);
      waits += 1;
      if (stopAfterMs === undefined || now < START + stopAfterMs) return;
      now = START + stopAfterMs;
      stop.abort();
    },
  });
  return { total, totals, batches, trades: batches.flat(), endedMs: now - START };
}

describe("a market that goes on", () => {
  it("has so many trades a second as it was asked for, and ends in time", async () => {
    const { total, trades, batches } = await run({ perSecond: 7, forMs: 10_500 });
    expect([total, trades.length, batches.length]).toEqual([73, 73, 11]);
    expect(trades.at(-1)?.tradedAt).toBe(START + 10_500);
  });

  it("writes those until a stop, of the last part of a second too", async () => {
    const { total, trades } = await run({ perSecond: 10, stopAfterMs: 2_500 });
    expect([total, trades.length]).toEqual([25, 25]);
    expect(trades.at(-1)?.tradedAt).toBe(START + 2_500);
  });

  it("writes at most 4,000 trades together, and counts after each batch", async () => {
    const { batches, totals } = await run({ perSecond: 9_000, forMs: 1_000 });
    expect(batches.map(({ length }) => length)).toEqual([4_000, 4_000, 1_000]);
    expect(totals).toEqual([4_000, 8_000, 9_000]);
  });

  it.each([3 * 86_400_000, -86_400_000])(
    "goes on from there when the clock is set by %d ms",
    async (setMs) => {
      const { trades, total } = await run({ perSecond: 5, forMs: 4_000, lateMs: [0, setMs] });
      expect(total).toBe(20);
      const seconds = trades.map(({ tradedAt }) => (tradedAt - START) / 1_000);
      expect(seconds.slice(0, 5).every((at) => at > 0 && at <= 1)).toBe(true);
      expect(seconds.slice(5).every((at) => at > 1 + setMs / 1_000 && at <= 4 + setMs / 1_000)).toBe(true);
    },
  );

  it("ends with the error of a store that fails", async () => {
    const write = () => Promise.reject(new Error("full"));
    await expect(run({ perSecond: 1, forMs: 1_000, write })).rejects.toThrow("full");
  });
});

test("however late the waits are, the trades are as many as the time asks for, in order, and none is of the future", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 20_000 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 20 }),
      async (perSecond, forMs, lateMs) => {
        const { total, trades } = await run({ perSecond, forMs, lateMs });
        expect(total).toBe(Math.floor((forMs * perSecond) / 1_000));
        const instants = trades.map(({ tradedAt }) => tradedAt);
        expect(instants).toEqual(instants.toSorted((one, other) => one - other));
        for (const instant of instants) {
          expect(instant).toBeGreaterThanOrEqual(START);
          expect(instant).toBeLessThanOrEqual(START + forMs);
        }
        expect(new Set(trades.map(({ id }) => id)).size).toBe(total);
      },
    ),
    { numRuns: cases(10) },
  );
});

test.each(Object.values(demoMarkets))(
  "trades of %s keep the rules, and go on where those before them ended, also after a stop",
  (market) => {
    const before = tradesIn(market, { fromMs: START - 60_000, toMs: START }, 300);
    // Another run, which knows nothing of the one before.
    const trades = [...before, ...tradesIn(market, { fromMs: START, toMs: START + 60_000 }, 300)];
    expect(trades.map(tradeViolation).filter((violation) => violation !== undefined)).toEqual([]);
    const cents = trades.map(({ price }) => Number(price.replace(".", "")));
    const steps = cents.slice(1).map((price, at) => Math.abs(price - (cents[at] ?? 0)));
    // Twice the spread, and what a walk of the price goes in a fifth of a second.
    expect(Math.max(...steps)).toBeLessThanOrEqual(4 * spreadOf(market));
    expect(new Set(cents).size).toBeGreaterThan(2);
  },
);

test("the first live trade of a busy market is near the last of the demo's", () => {
  const last = busyTrades({ fromMs: START - 3_600_000, toMs: START })
    .toSorted(comparePlaces)
    .at(-1);
  const [first] = tradesIn(demoMarkets.busy, { fromMs: START, toMs: START + 1_000 }, 5);
  expect(Math.abs(Number(first?.price) - Number(last?.price))).toBeLessThan(30);
});
