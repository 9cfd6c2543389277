import { describe, expect, test } from "vitest";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { NOW } from "../support/chain.ts";
import { ExactBudget } from "../support/exact-budget.ts";
import { drawsOf, simulate } from "../support/limit-simulation.ts";
import { LimitTable } from "../support/limit-table.ts";
import { exchangeBuckets, limitOn } from "../support/limits.ts";

/** A million of them, once in a while: LIMIT_DECISIONS=1000000 npx vitest run test/property/rate-limit.test.ts */
const DECISIONS = Number(process.env.LIMIT_DECISIONS ?? 40_000);

describe("five instances with one clock", () => {
  test("decide as the exact budgets do, and name the exact wait whenever the store was asked", async () => {
    for (const seed of [11, 12]) {
      const result = await simulate({ decisions: DECISIONS / 2, instances: 5, seed, silences: false });
      expect(result).toMatchObject({ wrongDecisions: 0, wrongWaits: 0, silenced: 0 });
      expect(result.admitted).toBeGreaterThan(DECISIONS / 10);
      expect(result.decisions - result.admitted).toBeGreaterThan(DECISIONS / 10);
      if (process.env.LIMIT_DECISIONS) console.log(result);
    }
  }, 600_000);

  test("that silence owners who ignore their waits admit nothing that the exact budgets refuse", async () => {
    const result = await simulate({ decisions: DECISIONS, instances: 5, seed: 13, silences: true });
    expect(result).toMatchObject({ wrongDecisions: 0, wrongWaits: 0 });
    expect(result.silenced).toBeGreaterThan(0);
  }, 600_000);
});

test("instances whose clocks differ by d ms over-admit at most 2d ms worth of tokens, however long it goes on", async () => {
  const differenceMs = 400;
  for (const seed of [1, 2, 3]) {
    const draw = drawsOf(seed);
    const table = new LimitTable();
    const clocks = [-differenceMs / 2, 0, differenceMs / 2].map((offset) => ({ offset, now: NOW + offset }));
    const limits = clocks.map((clock) => limitOn(table, clock, { random: () => -0.5 }));
    const spent: { at: number; cost: number }[] = [];
    for (let now = NOW; now < NOW + 60_000; now += Math.floor(draw() * 40)) {
      for (const clock of clocks) clock.now = now + clock.offset;
      const cost = 1 + Math.floor(draw() * 5);
      const { waitMs } = (await limits[Math.floor(draw() * limits.length)]?.charge("owner", cost)) ?? {
        waitMs: 1,
      };
      if (waitMs === 0) spent.push({ at: now, cost });
    }
    expect(worstExcess(spent, { burst: 100, tokenMs: 10 })).toBeLessThanOrEqual((2 * differenceMs) / 10);
    expect(worstExcess(spent, { burst: 1_000, tokenMs: 60 })).toBeLessThanOrEqual((2 * differenceMs) / 10);
  }
});

/** The most tokens that any stretch of time spent beyond a full bucket and what came back meanwhile. */
function worstExcess(
  spent: readonly { at: number; cost: number }[],
  bucket: { burst: number; tokenMs: number },
): number {
  let owed = 0;
  let worst = 0;
  let before = spent[0]?.at ?? 0;
  for (const { at, cost } of spent) {
    owed = Math.max(0, owed - (at - before) / bucket.tokenMs) + cost;
    worst = Math.max(worst, owed - bucket.burst);
    before = at;
  }
  return worst;
}

test("of 64 decisions at once none takes more than three writes, and together they spend what there is", async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const draw = drawsOf(seed);
    const table = new LimitTable();
    table.pause = async () => {
      for (let turns = Math.floor(draw() * 20); turns > 0; turns -= 1) await Promise.resolve();
    };
    const clock = { now: NOW };
    const budget = new ExactBudget(exchangeBuckets, NOW);
    for (let round = 0; round < 20; round += 1, clock.now += 37) {
      const tables = Array.from({ length: 64 }, () => countingView(table));
      const outcomes = await Promise.all(tables.map((view) => limitOn(view, clock).charge("owner", 3)));
      for (const view of tables) expect(view.attempts).toBeLessThanOrEqual(3);
      budget.advance(clock.now);
      const affordable = Math.floor(Math.min(...budget.tokens()) / 3);
      const admitted = outcomes.filter(({ waitMs }) => waitMs === 0).length;
      expect(admitted).toBe(Math.min(64, affordable));
      budget.spend(3 * admitted);
    }
  }
});

/** The same table, with a count of the attempts that go through this view of it. */
function countingView(table: LimitTable): LimitTable {
  const view = new LimitTable();
  view.charge = async (...attempt) => {
    view.attempts += 1;
    return table.charge(...attempt);
  };
  return view;
}

test("a flood over eight instances costs at most 1.2 writes an admitted request and 0.01 a refused one", async () => {
  const draw = drawsOf(5);
  const table = new LimitTable();
  const clock = { now: NOW };
  const limits = Array.from({ length: 8 }, () => limitOn(table, clock, { random: draw }));
  const writes = { admitted: 0, refused: 0 };
  const requests = { admitted: 0, refused: 0 };
  for (let at = 0; at < 80_000; at += 1) {
    clock.now = NOW + Math.floor(at / 2);
    const before = table.attempts;
    const { waitMs } = (await limits[Math.floor(draw() * 8)]?.charge("owner", 1)) ?? { waitMs: 1 };
    const outcome = waitMs === 0 ? "admitted" : "refused";
    requests[outcome] += 1;
    writes[outcome] += table.attempts - before;
  }
  expect(writes.admitted / requests.admitted).toBeLessThanOrEqual(1.2);
  expect(writes.refused / requests.refused).toBeLessThanOrEqual(0.01);
  expect(requests.admitted).toBeGreaterThan(0.95 * (1_000 + 40_000 / 60));
});

test("an owner alone that waits exactly as told is admitted, on whichever instance and whatever each request costs", async () => {
  for (const seed of [1, 2, 3]) {
    const draw = drawsOf(seed);
    const table = new LimitTable();
    const clock = { now: NOW };
    const limits = Array.from({ length: 3 }, () => limitOn(table, clock, { random: draw }));
    const ask = (cost: number) =>
      limits[Math.floor(draw() * 3)]?.charge("owner", cost) ?? Promise.reject(new Error());
    let waited = 0;
    for (let request = 0; request < 700; request += 1) {
      const cost = 1 + Math.floor(draw() * 30);
      const { waitMs } = await ask(cost);
      if (waitMs === 0) continue;
      waited += 1;
      clock.now += waitMs;
      expect((await ask(cost)).waitMs).toBe(0);
    }
    expect(waited).toBeGreaterThan(300);
  }
});

test("tokens that are said to be left are the exact budget's", async () => {
  const draw = drawsOf(8);
  const clock = { now: NOW };
  const limit = limitOn(new LimitTable(), clock);
  const budget = new ExactBudget(exchangeBuckets, NOW);
  expect(bucketsOf(exchangeBuckets, 30).map(({ tokenMs }) => tokenMs)).toEqual([10, 60]);
  for (let request = 0; request < 500; request += 1, clock.now += Math.floor(draw() * 900)) {
    const cost = 1 + Math.floor(draw() * 30);
    const { waitMs, headers } = await limit.charge("owner", cost);
    budget.advance(clock.now);
    if (waitMs === 0) budget.spend(cost);
    const [second, minute] = budget.tokens();
    const left = headers.RateLimit?.match(/r=\d+/g);
    expect(left).toEqual([`r=${second}`, `r=${minute}`]);
  }
});
