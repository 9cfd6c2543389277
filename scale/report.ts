import type { Results } from "../bench/results.ts";
import { drawsOf } from "../test/support/limit-simulation.ts";
import { run, type Second } from "./model/run.ts";
import { hotMarket, newTables, olderPages, openingBell, type Scenario } from "./scenarios.ts";
import { type Summary, summaryOf } from "./summary.ts";
import { type Deployment, type Wall, wallsOf } from "./walls.ts";
import { type Workload, workloadsOf } from "./workloads.ts";

/** The walls of a kind of call, the lowest first. */
export interface CallWalls {
  readonly call: string;
  readonly dollarsPerMillion: number;
  readonly walls: readonly Wall[];
}

/** How a scenario went, in sum and second by second. */
export interface Played extends Summary {
  readonly standsFor: number;
  readonly seconds: readonly Second[];
}

/** Numbers of mirrors that the hot market is played with; 1 is the market as it is today. */
export const MIRRORS = [1, 2, 4] as const;

/** Every wall of every kind of call. */
export async function wallReport(results: Results, deployment: Deployment): Promise<readonly CallWalls[]> {
  const workloads = await workloadsOf(results);
  return workloads.map((workload) => {
    const walls = wallsOf(workload, deployment);
    const [lowest] = walls;
    if (lowest === undefined) throw new Error(`${workload.call} meets no wall.`);
    const dollarsPerMillion = (lowest.dollarsPerHour / lowest.callsPerSecond / 3_600) * 1_000_000;
    return { call: workload.call, dollarsPerMillion, walls };
  });
}

/** Plays every scenario; the same seed gives the same outcomes. */
export async function play(
  results: Results,
  deployment: Deployment,
  seed: number,
): Promise<readonly Played[]> {
  const workloads = await workloadsOf(results);
  const find = (call: string): Workload => {
    const found = workloads.find((workload) => workload.call === call);
    if (found === undefined) throw new Error(`There is no call ${call}.`);
    return found;
  };
  const [newest, older] = [find("list-trades, newest 1,000 trades"), find("list-trades, 1,000 older trades")];
  const order = find("get-sell-order");
  const { memoryMb } = deployment.stage.functions;
  const scenarios: readonly Scenario[] = [
    ...MIRRORS.map((mirrors) => hotMarket(newest, deployment, mirrors)),
    olderPages(older, deployment),
    openingBell(order, deployment, memoryMb),
    openingBell(order, deployment, memoryMb / 4),
    newTables(order, deployment),
  ];
  return scenarios.map((scenario) => {
    const outcome = run(scenario.experiment, drawsOf(seed));
    const { standsFor } = scenario;
    return { ...summaryOf(scenario, outcome), standsFor, seconds: outcome.seconds };
  });
}
