import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExactBudget } from "../../bench/support/exact-budget.ts";
import { randomOf } from "../../bench/support/random-of.ts";
import type { Decision } from "../../lib/rate-limit/rate-limit.ts";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { cases } from "../support/cases.ts";
import { NOW } from "../support/chain.ts";
import { LimitTable } from "../support/limit-table.ts";
import { exchangeBuckets, limitOn } from "../support/limits.ts";

const DECISIONS = cases(8_000);
/** Requests of callers who wait as they were told. */
const CALLS = cases(1_000);

/** Factors on every pause, from a flood to an idle hour. */
const PACES = [0.02, 0.1, 0.3, 1, 3];

/** With this draw a block is over as soon as it begins. */
const NO_BLOCK = -0.5;

/**
 * Makes random requests of random cost on `instances` limiters that share one table and one clock, and compares each
 * decision with the exact budget. Blocked requests, if blocks are wanted, are counted apart: they are refused although
 * the budget could pay them.
 */
async function simulate(decisions: number, instances: number, seed: number, blocks: boolean) {
  const draw = randomOf(seed);
  const table = new LimitTable();
  const clock = { now: 1_000_000_000_000 + Math.floor(draw() * 1_000_000) };
  const limits = Array.from({ length: instances }, () =>
    limitOn(table, clock, { random: () => (blocks ? draw() : NO_BLOCK) }),
  );
  const budget = new ExactBudget(exchangeBuckets, clock.now);
  const result = { admitted: 0, wrongDecisions: 0, wrongWaits: 0, blocked: 0 };
  let pace = 1;
  for (let at = 0; at < decisions; at += 1) {
    if (at % 500 === 0) pace = PACES[Math.floor(draw() * PACES.length)] ?? 1;
    clock.now += Math.floor(pauseOf(draw) * pace);
    budget.advance(clock.now);
    const cost = draw() < 0.7 ? 1 + Math.floor(draw() * 3) : 1 + Math.floor(draw() * 30);
    const limit = limits[Math.floor(draw() * instances)] ?? limitOn(table, clock);
    const exact = budget.waitMs(cost);
    const before = table.attempts;
    const { waitMs } = await limit.charge("owner", cost);
    const asked = table.attempts > before;
    if (waitMs === 0) {
      result.admitted += 1;
      budget.spend(cost);
    }
    if (!asked && exact === 0 && waitMs > 0) result.blocked += 1;
    else if ((exact === 0) !== (waitMs === 0)) result.wrongDecisions += 1;
    else if (asked && waitMs !== exact) result.wrongWaits += 1;
  }
  return result;
}

/** Bursts within a millisecond, a steady trickle, and sometimes a rest in which the buckets fill up. */
function pauseOf(draw: () => number): number {
  const kind = draw();
  if (kind < 0.3) return 0;
  if (kind < 0.9) return Math.floor(draw() * 120);
  return kind < 0.995 ? Math.floor(draw() * 1_500) : Math.floor(draw() * 90_000);
}

describe("five instances with one clock", () => {
  test("decide as the exact budgets do, and name the exact wait whenever the store was asked", async () => {
    for (const seed of [11, 12]) {
      const result = await simulate(DECISIONS / 2, 5, seed, false);
      expect(result).toMatchObject({ wrongDecisions: 0, wrongWaits: 0, blocked: 0 });
      expect(result.admitted).toBeGreaterThan(DECISIONS / 10);
      expect(DECISIONS / 2 - result.admitted).toBeGreaterThan(DECISIONS / 10);
    }
  });

  test("that block owners who ignore their waits admit nothing that the exact budgets refuse", async () => {
    const result = await simulate(DECISIONS, 5, 13, true);
    expect(result).toMatchObject({ wrongDecisions: 0, wrongWaits: 0 });
    expect(result.blocked).toBeGreaterThan(0);
  });
});

test.each([
  [400, "that stay as they are", 0],
  [400, "that are set at every moment", 1],
  [5_000, "that stay as they are", 0],
  [5_000, "that are set at every moment", 1],
])(
  "instances with clocks that differ by %i ms, %s, over-admit at most twice as many ms worth of tokens",
  async (differenceMs, _how, spread) => {
    for (const seed of [1, 2, 3]) {
      const draw = randomOf(seed);
      const table = new LimitTable();
      const clocks = [-0.5, 0, 0.5].map((place) => ({ place, now: NOW }));
      const limits = clocks.map((clock) => limitOn(table, clock, { random: () => -0.5 }));
      const spent: { at: number; cost: number }[] = [];
      for (let now = NOW; now < NOW + 60_000; now += Math.floor(draw() * 40)) {
        for (const clock of clocks) {
          const place = spread === 0 ? clock.place : draw() - 0.5;
          clock.now = now + Math.round(differenceMs * place);
        }
        const cost = 1 + Math.floor(draw() * 5);
        const { waitMs } = (await limits[Math.floor(draw() * limits.length)]?.charge("owner", cost)) ?? {
          waitMs: 1,
        };
        if (waitMs === 0) spent.push({ at: now, cost });
      }
      expect(worstExcess(spent, { burst: 100, tokenMs: 10 })).toBeLessThanOrEqual((2 * differenceMs) / 10);
      expect(worstExcess(spent, { burst: 1_000, tokenMs: 60 })).toBeLessThanOrEqual((2 * differenceMs) / 10);
    }
  },
);

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
    const draw = randomOf(seed);
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

interface Request {
  readonly instance: number;
  /** How long after the previous request this one comes. */
  readonly pauseMs: number;
  /** How far the clock of its instance is set before it comes. */
  readonly setByMs: number;
  readonly cost: number;
}

/** Requests to this many instances, whose clocks are set by seconds, by hours, or hardly, at any moment. */
const requestsTo = (instances: number): fc.Arbitrary<Request[]> =>
  fc.array(
    fc.record({
      instance: fc.nat(instances - 1),
      // Mostly fast enough that buckets are empty, and seldom so slow that they are full.
      pauseMs: fc.oneof(
        { weight: 3, arbitrary: fc.constant(0) },
        { weight: 5, arbitrary: fc.nat(200) },
        { weight: 1, arbitrary: fc.nat(20_000) },
      ),
      setByMs: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 2, arbitrary: fc.integer({ min: -50, max: 50 }) },
        fc.integer({ min: -12_000, max: 12_000 }),
        fc.integer({ min: -3_600_000, max: 86_400_000 }),
      ),
      cost: fc.integer({ min: 1, max: 30 }),
    }),
    { minLength: 1, maxLength: 100 },
  );

/** The exchange's buckets as numbers, and what they show of a state in the table at an instance's time. */
const shownBuckets = [
  { name: "second", burst: 100, tokenMs: 10, capacityMs: 1_000 },
  { name: "minute", burst: 1_000, tokenMs: 60, capacityMs: 60_000 },
];
const TOLERANCE_MS = 5_000;

function shownOf(state: Readonly<Record<string, number>>, now: number): string {
  const parts = shownBuckets.map(({ name, tokenMs, capacityMs }) => {
    const ahead = (name === "second" ? state.second : state.minute) ?? 0;
    const fullMs = ahead > now + capacityMs + TOLERANCE_MS ? 0 : Math.max(0, ahead - now);
    const left = Math.max(0, Math.floor((capacityMs - fullMs) / tokenMs));
    return `"${name}";r=${left};t=${Math.ceil(fullMs / 1_000)}`;
  });
  return parts.join(", ");
}

/** Whether the wait, what is left and the policy could all be true of one state. */
function expectAgreement({ waitMs, headers }: Decision, cost: number): void {
  expect(headers["RateLimit-Policy"]).toBe('"second";q=100;w=1, "minute";q=1000;w=60');
  const told = [...(headers.RateLimit ?? "").matchAll(/r=(\d+);t=(\d+)/g)].map(([, left, seconds]) => ({
    left: Number(left),
    seconds: Number(seconds),
  }));
  for (const [at, { burst, capacityMs }] of shownBuckets.entries()) {
    const { left = -1, seconds = -1 } = told[at] ?? {};
    expect(left === burst).toBe(seconds === 0);
    expect(left).toBeLessThanOrEqual(waitMs === 0 ? burst - cost : burst);
    expect(seconds).toBeLessThanOrEqual((capacityMs + TOLERANCE_MS) / 1_000);
  }
  if (waitMs === 0) return;
  expect(Math.min(...told.map(({ left }) => left))).toBeLessThan(cost);
  expect(Math.max(...told.map(({ seconds }) => seconds)) * 1_000).toBeGreaterThanOrEqual(waitMs);
}

/** Instances over one table, whose clocks run alike and are set by hand. */
function instancesOver(table: LimitTable, count: number) {
  const clocks = Array.from({ length: count }, () => ({ now: NOW }));
  const limits = clocks.map((clock) => limitOn(table, clock));
  return {
    ask: (instance: number, cost: number): Promise<Decision> =>
      limits[instance]?.charge("owner", cost) ?? Promise.reject(new Error()),
    clockOf: (instance: number) => clocks[instance] ?? { now: NOW },
    pass: (ms: number) => {
      for (const clock of clocks) clock.now += ms;
    },
  };
}

describe.each([1, 3])("on %i instances whose clocks are set by up to a day, at any moment", (count) => {
  test("no owner is locked out for longer than a capacity and five seconds, and the headers are true and agree", async () => {
    const isBounded = fc.asyncProperty(requestsTo(count), async (requests) => {
      const table = new LimitTable();
      const instances = instancesOver(table, count);
      const check = async (instance: number, cost: number): Promise<number> => {
        const before = table.attempts;
        const decision = await instances.ask(instance, cost);
        expectAgreement(decision, cost);
        expect(decision.waitMs).toBeLessThanOrEqual(60_000 + TOLERANCE_MS);
        const state = table.items.get("exchange#owner") ?? {};
        if (table.attempts > before)
          expect(decision.headers.RateLimit).toBe(shownOf(state, instances.clockOf(instance).now));
        return decision.waitMs;
      };
      for (const { instance, pauseMs, setByMs, cost } of requests) {
        instances.pass(pauseMs);
        instances.clockOf(instance).now += setByMs;
        await check(instance, cost);
      }
      for (let instance = 0; instance < count; instance += 1) {
        let waitedMs = 0;
        for (let wait = await check(instance, 30); wait > 0; wait = await check(instance, 30)) {
          waitedMs += wait;
          instances.pass(wait);
        }
        expect(waitedMs).toBeLessThanOrEqual(60_000 + TOLERANCE_MS);
      }
    });
    await fc.assert(isBounded, { numRuns: cases(30) });
  });

  test("a clock ahead of the last charge's gives the difference, one more than five seconds behind it a full bucket, and others nothing", async () => {
    const isBounded = fc.asyncProperty(requestsTo(count), async (requests) => {
      const instances = instancesOver(new LimitTable(), count);
      const owedMs = shownBuckets.map(() => 0);
      let now = NOW;
      let last = { now, aheadMs: 0 };
      for (const { instance, pauseMs, setByMs, cost } of requests) {
        instances.pass(pauseMs);
        now += pauseMs;
        instances.clockOf(instance).now += setByMs;
        if ((await instances.ask(instance, cost)).waitMs > 0) continue;
        const aheadMs = instances.clockOf(instance).now - now;
        const shiftMs = aheadMs - last.aheadMs;
        for (const [at, { tokenMs, capacityMs }] of shownBuckets.entries()) {
          const givenMs = shiftMs < -TOLERANCE_MS ? capacityMs : Math.max(0, shiftMs);
          owedMs[at] = Math.max(0, (owedMs[at] ?? 0) - (now - last.now) - givenMs) + cost * tokenMs;
          expect(owedMs[at]).toBeLessThanOrEqual(capacityMs);
        }
        last = { now, aheadMs };
      }
    });
    await fc.assert(isBounded, { numRuns: cases(30) });
  });
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

/** Instances over one table and with one clock, of which any is asked next. @returns how long a request has to wait. */
function instancesAtRandom(count: number, draw: () => number) {
  const table = new LimitTable();
  const clock = { now: NOW };
  const limits = Array.from({ length: count }, () => limitOn(table, clock, { random: draw }));
  const ask = async (cost: number): Promise<number> =>
    (await limits[Math.floor(draw() * count)]?.charge("owner", cost))?.waitMs ?? Number.NaN;
  return { table, clock, ask };
}

test("a flood over eight instances costs at most 1.2 writes an admitted request and 0.01 a refused one", async () => {
  const { table, clock, ask } = instancesAtRandom(8, randomOf(5));
  const writes = { admitted: 0, refused: 0 };
  const requests = { admitted: 0, refused: 0 };
  for (let at = 0; at < 80_000; at += 1) {
    clock.now = NOW + Math.floor(at / 2);
    const before = table.attempts;
    const outcome = (await ask(1)) === 0 ? "admitted" : "refused";
    requests[outcome] += 1;
    writes[outcome] += table.attempts - before;
  }
  expect(writes.admitted / requests.admitted).toBeLessThanOrEqual(1.2);
  expect(writes.refused / requests.refused).toBeLessThanOrEqual(0.01);
  expect(requests.admitted).toBeGreaterThan(0.95 * (1_000 + 40_000 / 60));
});

test("a single caller that waits exactly as told is admitted, on whichever instance and whatever each request costs", async () => {
  for (const seed of [1, 2, 3]) {
    const draw = randomOf(seed);
    const { clock, ask } = instancesAtRandom(3, draw);
    let waited = 0;
    for (let request = 0; request < 700; request += 1) {
      const cost = 1 + Math.floor(draw() * 30);
      const waitMs = await ask(cost);
      if (waitMs === 0) continue;
      waited += 1;
      clock.now += waitMs;
      expect(await ask(cost)).toBe(0);
    }
    expect(waited).toBeGreaterThan(300);
  }
});

interface Caller {
  at: number;
  cost: number;
  readonly costMax: number;
}

describe.each([1, 2, 4])("on %i instances", (count) => {
  test.each([
    ["two that ask for one token each", [1, 1]],
    ["four that ask for one token each", [1, 1, 1, 1]],
    ["four that ask for up to 30", [30, 30, 30, 30]],
    ["one that waits for 30 tokens and asks for one meanwhile", [30, 1]],
  ])(
    "callers of one owner who come when they were told to never wait longer than they must: %s",
    async (_who, costs) => {
      for (const seed of [1, 2, 3]) {
        const draw = randomOf(seed);
        const { clock, ask } = instancesAtRandom(count, draw);
        const budget = new ExactBudget(exchangeBuckets, NOW);
        const costOf = (max: number) => (max === 1 ? 1 : 1 + Math.floor(draw() * max));
        const callers: Caller[] = costs.map((costMax) => ({ at: NOW, cost: costOf(costMax), costMax }));
        let refusals = 0;
        for (let request = 0; request < CALLS; request += 1) {
          callers.sort((one, other) => one.at - other.at);
          const [caller = { at: NOW, cost: 1, costMax: 1 }] = callers;
          clock.now = caller.at;
          budget.advance(clock.now);
          const exact = budget.waitMs(caller.cost);
          const waitMs = await ask(caller.cost);
          expect(waitMs).toBeLessThanOrEqual(exact);
          caller.at += waitMs;
          if (waitMs > 0) refusals += 1;
          else {
            budget.spend(caller.cost);
            caller.cost = costOf(caller.costMax);
          }
        }
        expect(refusals).toBeGreaterThan(CALLS / 10);
      }
    },
  );
});

test("tokens that are said to be left are the exact budget's", async () => {
  const draw = randomOf(8);
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
