import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf } from "../../bench/support/busy-trades.ts";
import { Countinghouse, type Trade, type TradeProgress, type TradeResume } from "../../client/src/index.ts";
import { cases } from "../support/cases.ts";
import { FAULTS, type Fault, ModelExchange } from "../support/model-exchange.ts";
import { DAY_MS, NOW, servedAt } from "../support/trades.ts";

/** A stretch of trades: how long it is, and how many trades stand at how many of its instants. */
const stretch = fc.record({
  days: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 45 })),
  instants: fc.integer({ min: 0, max: 12 }),
  tradesAtOnce: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 9 })),
});

interface Market {
  /** Newest first. */
  readonly trades: readonly Trade[];
  readonly fromMs: number;
}

/** A market with stretches of different density, from dense to empty, up to now. */
const markets: fc.Arbitrary<Market> = fc.array(stretch, { minLength: 1, maxLength: 8 }).map((stretches) => {
  const trades: Trade[] = [];
  let endMs = NOW;
  for (const { days, instants, tradesAtOnce } of stretches) {
    const stepMs = Math.max(1, Math.floor((days * DAY_MS) / Math.max(1, instants)));
    for (let at = 0; at < instants; at += 1) {
      const ids = Array.from({ length: tradesAtOnce }, (_, n) => idOf(trades.length + n))
        .toSorted()
        .toReversed();
      trades.push(...ids.map((tid) => servedAt(endMs - at * stepMs, tid)));
    }
    endMs -= Math.max(instants * stepMs, days * DAY_MS);
  }
  return { trades, fromMs: endMs };
});

const anyCase = fc.record({
  market: markets,
  limit: fc.integer({ min: 1, max: 15 }),
  faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 12 }),
});
type Case = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never;

function begin(
  { market, limit, faults }: Case,
  resume?: TradeResume,
  onProgress?: (progress: TradeProgress) => void,
) {
  const model = new ModelExchange({ trades: market.trades, faults }, NOW);
  const exchange = { apiKey: "A".repeat(64), sign: () => new Uint8Array(64) };
  // One fault may follow the other, so the patience is more than the faults.
  const retry = { attemptsMax: 20, totalMs: 10 ** 9 };
  const client = new Countinghouse({ baseUrl: "https://api.test", exchange, retry, ...model.platform });
  const symbol = "BTC-USD";
  const walk = client.exchange.trades({ symbol, from: market.fromMs, to: NOW, limit, resume, onProgress });
  return { walk, model };
}

const keyOf = ({ tdt, tid }: Trade): string => `${tdt}/${tid}`;

/** A client bears one fault of the service itself in a request, and five listings in a row that lead nowhere. */
const isBearable = ({ faults }: Case): boolean => {
  const count = (wanted: Fault) => faults.filter((fault) => fault === wanted).length;
  return count("an internal error") <= 1 && count("a stale cursor") <= 5;
};

describe("a walk through the trades of a market", () => {
  test("gives each trade once and in order, whatever the density, the pages and the faults are, and goes on after any trade where it was left, in another program", async () => {
    const points = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(anyCase.filter(isBearable), points, async (given, stops) => {
        const seen: string[] = [];
        let resume: TradeResume | undefined;
        for (const stop of [...stops, Number.POSITIVE_INFINITY]) {
          const { walk } = begin(given, resume);
          let left = stop;
          if (left > 0)
            for await (const trade of walk) {
              seen.push(keyOf(trade));
              left -= 1;
              if (left === 0) break;
            }
          resume = JSON.parse(JSON.stringify(walk.progress.resume)) as TradeResume;
        }
        expect(seen).toEqual(given.market.trades.map(keyOf));
      }),
      { numRuns: cases(30) },
    );
  });

  test("goes on from each report of its progress", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase.filter(isBearable), async (given) => {
        const reports: TradeProgress[] = [];
        const { walk } = begin(given, undefined, (progress) => reports.push(progress));
        for await (const _ of walk);
        expect(reports.at(-1)?.trades ?? 0).toBe(given.market.trades.length);
        for (const { trades, resume } of reports.filter((_, at) => at % 3 === 0)) {
          const rest: string[] = [];
          for await (const trade of begin(given, resume).walk) rest.push(keyOf(trade));
          expect(rest).toEqual(given.market.trades.slice(trades).map(keyOf));
        }
      }),
      { numRuns: cases(8) },
    );
  });

  test("meets no 429 while it is alone", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const { walk, model } = begin({ ...given, faults: [] });
        for await (const _ of walk);
        expect(model.refusals).toBe(0);
        expect(walk.progress.tokens).toBe(model.tokens);
        expect(walk.progress.pages).toBe(model.requests);
      }),
      { numRuns: cases(12) },
    );
  });

  test("takes at most two tokens for each day, and two for each page that its trades fill", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const { walk, model } = begin({ ...given, faults: [] });
        for await (const _ of walk);
        const { trades, fromMs } = given.market;
        const days = Math.ceil((NOW - fromMs) / DAY_MS) + 1;
        expect(model.tokens).toBeLessThanOrEqual(2 * (days + trades.length / given.limit) + 60);
      }),
      { numRuns: cases(12) },
    );
  });
});
