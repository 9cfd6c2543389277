import { ExactBudget } from "../../bench/support/exact-budget.ts";
import { randomOf } from "../../bench/support/random-of.ts";
import { LimitTable } from "./limit-table.ts";
import { exchangeBuckets, limitOn } from "./limits.ts";

/** Factors on every pause, from a flood to an idle hour. */
const PACES = [0.02, 0.1, 0.3, 1, 3];

export interface SimulationResult {
  readonly decisions: number;
  readonly admitted: number;
  readonly wrongDecisions: number;
  readonly wrongWaits: number;
  /** Refusals from memory that named too short a wait, because other instances had charged meanwhile. */
  readonly shortWaits: number;
  readonly blocked: number;
  readonly writes: number;
}

/** With this draw a block is over as soon as it begins. */
const NO_BLOCK = -0.5;

/**
 * Makes random requests of random cost on `instances` limiters that share one table and one clock, and compares each
 * decision with the exact budget. Blocked requests, if blocks are wanted, are counted apart: they are refused although
 * the budget could pay them.
 */
export async function simulate({
  decisions,
  instances,
  seed,
  blocks,
}: {
  decisions: number;
  instances: number;
  seed: number;
  blocks: boolean;
}): Promise<SimulationResult> {
  const draw = randomOf(seed);
  const table = new LimitTable();
  const clock = { now: 1_000_000_000_000 + Math.floor(draw() * 1_000_000) };
  const limits = Array.from({ length: instances }, () =>
    limitOn(table, clock, { random: () => (blocks ? draw() : NO_BLOCK) }),
  );
  const budget = new ExactBudget(exchangeBuckets, clock.now);
  const result = {
    decisions,
    admitted: 0,
    wrongDecisions: 0,
    wrongWaits: 0,
    shortWaits: 0,
    blocked: 0,
    writes: 0,
  };
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
    else if (!asked && waitMs < exact) result.shortWaits += 1;
  }
  result.writes = table.attempts;
  return result;
}

/** Bursts within a millisecond, a steady trickle, and sometimes a rest in which the buckets fill up. */
function pauseOf(draw: () => number): number {
  const kind = draw();
  if (kind < 0.3) return 0;
  if (kind < 0.9) return Math.floor(draw() * 120);
  return kind < 0.995 ? Math.floor(draw() * 1_500) : Math.floor(draw() * 90_000);
}
