import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { RateLimit } from "../lib/rate-limit/rate-limit.ts";
import { RateLimitStore } from "../lib/rate-limit/rate-limit-store.ts";
import { listTrades } from "../lib/trades/contract.ts";
import type { Ask } from "./ask.ts";
import { type Figure, figureOfCounts, type Measurement } from "./figure.ts";
import { clientOf, type PeerTables, peerLimiter, preparePeerTables } from "./peers/flexible-limiter.ts";
import { startBenchEngine } from "./support/bench-engine.ts";
import { ExactBudget } from "./support/exact-budget.ts";
import { randomOf } from "./support/random-of.ts";

const CALLERS = [1, 8, 64];
const DECISIONS = 1_280;
const PATIENT_REQUESTS = 400;
const COST_MAX = 30;
const PEER = "rate-limiter-flexible, DynamoDB, union of both windows";

/** One side of the comparison: callers with a limiter each, and the number of their writes. */
interface Side {
  readonly callers: readonly [Ask, ...Ask[]];
  readonly writes: () => number;
}

/** What a side did in some rounds. */
class Tally {
  decisions = 0;
  /** Admitted although the budget did not have the tokens. */
  overAdmitted = 0;
  /** Refused although the budget had the tokens. */
  wronglyRefused = 0;
  /** Refused with a wait other than the budget's: too short, or longer than needed. */
  wrongWaits = 0;
  writes = 0;
}

export const rateLimit: Measurement = {
  name: "rate-limit",
  about:
    "The exchange's two budgets (100 tokens a second, 1,000 a minute) under the same load, at the same instants and on the " +
    "same engine for both limiters. In each round callers, each with its own instance, send requests of one owner at once, " +
    "and every decision is compared with the exact budget. Patient callers come back when they were told to. Flooding " +
    "callers come back at any time and meet our blocks, which refuse within the budget on purpose. The figures are counts, " +
    "not times: the clock is moved by hand.",
  run: () => withHandClock(measure),
};

async function measure(clock: { now: number }): Promise<readonly Figure[]> {
  const engine = await startBenchEngine();
  try {
    const peerTables = await preparePeerTables(engine.endpoint);
    const sides = (callers: number): readonly [Side, Side] => [
      ourSide(engine.endpoint, engine.tableName("RateLimits"), callers, clock),
      peerSide(engine.endpoint, peerTables, callers),
    ];
    const figures: Figure[] = [];
    for (const callers of CALLERS) figures.push(...(await compareRounds(sides(callers), "patient", clock)));
    figures.push(...(await compareRounds(sides(8), "flooding", clock)));
    figures.push(await comparePatience(sides(1), clock), await compareWindowEdge(sides(1), clock));
    return figures;
  } finally {
    await engine.close();
  }
}

function ourSide(endpoint: string, tableName: string, callers: number, clock: { now: number }): Side {
  const counted = countedClient(endpoint, 1);
  const ask = (): Ask => {
    const limit = new RateLimit({
      name: "bench",
      buckets: listTrades.limit.defaultBuckets,
      costMax: COST_MAX,
      store: new RateLimitStore({ client: counted.client, name: tableName }),
      clock: () => clock.now,
      random: Math.random,
      reportOutage: (error) => {
        throw error;
      },
    });
    return async (owner, cost) => (await limit.charge(owner, cost)).waitMs;
  };
  return { callers: several(callers, ask), writes: counted.writes };
}

function peerSide(endpoint: string, tables: PeerTables, callers: number): Side {
  const counted = countedClient(endpoint, 3);
  return {
    callers: several(callers, () => peerLimiter(counted.client, tables, listTrades.limit.defaultBuckets)),
    writes: counted.writes,
  };
}

const several = (count: number, make: () => Ask): [Ask, ...Ask[]] => [
  make(),
  ...Array.from({ length: count - 1 }, make),
];

/** Whether callers wait as they are told, or ask in every round. */
type Manners = "patient" | "flooding";

/** Rounds of one instant each: first all of our callers at once, then all of the peer's. */
async function compareRounds(
  sides: readonly [Side, Side],
  manners: Manners,
  clock: { now: number },
): Promise<Figure[]> {
  const callers = sides[0].callers.length;
  const draw = randomOf(callers);
  const states = sides.map((side) => ({
    side,
    budget: new ExactBudget(listTrades.limit.defaultBuckets, clock.now),
    tally: new Tally(),
    backAt: side.callers.map(() => 0),
  }));
  for (let round = 0; round < DECISIONS / callers; round += 1) {
    clock.now += Math.ceil(draw() * 60 * callers);
    const cost = 1 + Math.floor(draw() * 5);
    const owner = `${manners}-${callers}`;
    for (const state of states) await runRound(state, manners, { owner, cost, now: clock.now });
  }
  const [ours = new Tally(), peer = new Tally()] = states.map(({ tally }) => tally);
  return figuresOf([ours, peer], `${callers} ${manners} ${callers === 1 ? "caller" : "callers"}`);
}

interface RoundState {
  readonly side: Side;
  readonly budget: ExactBudget;
  readonly tally: Tally;
  /** The instant at which each caller asks again, in epoch milliseconds. */
  readonly backAt: number[];
}

async function runRound(
  { side, budget, tally, backAt }: RoundState,
  manners: Manners,
  { owner, cost, now }: { owner: string; cost: number; now: number },
): Promise<void> {
  const asking = [...side.callers.entries()].filter(
    ([at]) => manners === "flooding" || (backAt[at] ?? 0) <= now,
  );
  const writesBefore = side.writes();
  const waits = await Promise.all(asking.map(([, ask]) => ask(owner, cost)));
  for (const [index, [at]] of asking.entries()) backAt[at] = now + (waits[index] ?? 0);
  const admitted = waits.filter((wait) => wait === 0).length;
  budget.advance(now);
  let affordable = 0;
  for (; affordable < waits.length && budget.waitMs(cost) === 0; affordable += 1) budget.spend(cost);
  // The budget follows the limiter's own decisions, so that one wrong decision is counted once.
  budget.spend(cost * (admitted - affordable));
  tally.decisions += waits.length;
  tally.overAdmitted += Math.max(0, admitted - affordable);
  tally.wronglyRefused += Math.max(0, affordable - admitted);
  tally.wrongWaits += waits.filter((wait) => wait > 0 && wait !== budget.waitMs(cost)).length;
  tally.writes += side.writes() - writesBefore;
}

function figuresOf([ours, peer]: readonly [Tally, Tally], load: string): Figure[] {
  const figure = (what: string, unit: string, of: (tally: Tally) => number): Figure =>
    figureOfCounts(
      { what: `${load}: ${what}`, unit, peerName: PEER },
      of(ours) / ours.decisions,
      of(peer) / peer.decisions,
    );
  const share = (what: string, of: (tally: Tally) => number) => figure(what, "%", (tally) => 100 * of(tally));
  return [
    figure("writes a decision", "writes", ({ writes }) => writes),
    share("admitted beyond the budget", ({ overAdmitted }) => overAdmitted),
    share("refused within the budget", ({ wronglyRefused }) => wronglyRefused),
    share("told a wait that is not the exact one", ({ wrongWaits }) => wrongWaits),
  ];
}

/** A client that spends a whole budget just before a window ends, and again just after: fixed windows admit both. */
async function compareWindowEdge(sides: readonly [Side, Side], clock: { now: number }): Promise<Figure> {
  const counts: number[] = [];
  for (const { callers } of sides) {
    const [ask] = callers;
    let admitted = 0;
    const start = clock.now;
    for (const [at, tokens] of [
      [0, 1],
      [998, 99],
      [1_001, 100],
    ] as const) {
      clock.now = start + at;
      for (let token = 0; token < tokens; token += 1)
        if ((await ask("edge", 1)) === 0 && at > 0) admitted += 1;
    }
    counts.push(admitted);
  }
  const [ours = 0, peer = 0] = counts;
  return figureOfCounts(
    { what: "admitted within 3 ms at a window's edge, of a budget of 100", unit: "requests", peerName: PEER },
    ours,
    peer,
  );
}

/** The share of requests that are still refused after their client has waited exactly as it was told. */
async function comparePatience(sides: readonly [Side, Side], clock: { now: number }): Promise<Figure> {
  const shares: number[] = [];
  for (const side of sides) {
    const draw = randomOf(7);
    const [ask] = side.callers;
    let [waited, refusedAgain] = [0, 0];
    for (let request = 0; request < PATIENT_REQUESTS; request += 1) {
      const cost = 1 + Math.floor(draw() * COST_MAX);
      const wait = await ask("patient", cost);
      if (wait === 0) continue;
      clock.now += wait;
      waited += 1;
      if ((await ask("patient", cost)) > 0) refusedAgain += 1;
    }
    shares.push((100 * refusedAgain) / waited);
  }
  const [ours = 0, peer = 0] = shares;
  return figureOfCounts(
    { what: "refused again after waiting as told, 1 patient caller", unit: "%", peerName: PEER },
    ours,
    peer,
  );
}

/**
 * Runs something on a clock that starts at the machine's time and moves only by hand. The clock replaces `Date.now`,
 * which a library reads that does not take a clock.
 */
async function withHandClock<Result>(run: (clock: { now: number }) => Promise<Result>): Promise<Result> {
  const { now } = Date;
  const clock = { now: now() };
  Date.now = () => clock.now;
  try {
    return await run(clock);
  } finally {
    Date.now = now;
  }
}

/** A client of an engine that counts the writes it sends, failed conditions and retries too: AWS bills them all. */
function countedClient(endpoint: string, maxAttempts: number) {
  const client = new DynamoDB({ ...clientOf(endpoint), maxAttempts });
  let writes = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (/^(?:Put|Update|Delete)Item/.test(commandName ?? "")) writes += 1;
        return next(args);
      },
    { step: "finalizeRequest", priority: "low" },
  );
  return { client, writes: () => writes };
}
