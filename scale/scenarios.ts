import { durationMs, workMs } from "../bench/deployed-bill.ts";
import { bucketsOf } from "../lib/rate-limit/token-bucket.ts";
import { DOCUMENTED_CAPACITY, type PartitionCapacity } from "../local/store/behaviour/partitions.ts";
import type { Experiment } from "./model/run.ts";
import type { TableProps } from "./model/table.ts";
import { quotas } from "./quotas.ts";
import type { Deployment } from "./walls.ts";
import type { Access, Workload } from "./workloads.ts";

/** A question about a deployment under load, and the experiment that answers it. */
export interface Scenario {
  readonly name: string;
  /** What is asked, in words. */
  readonly about: string;
  readonly experiment: Experiment;
  /** How many calls, owners and units each one of the experiment stands for. */
  readonly standsFor: number;
}

/** The documented capacity without the unused units of the last minutes, which AWS does not promise. */
const SUSTAINED: PartitionCapacity = { ...DOCUMENTED_CAPACITY, burstMs: 0 };
/** An on-demand table doubles for certain only after half an hour. */
const DOUBLING_MS = 1_800_000;
/** A table that has seen traffic has more partitions; here each has as many times the capacity instead. */
const GROWN = 8;
/** Enough owners for none of them to reach its limit. */
const OWNERS = 200;
const MINUTE = 60;

const shrunk = (capacity: PartitionCapacity, by: number): PartitionCapacity => ({
  ...capacity,
  readUnitsPerS: capacity.readUnitsPerS / by,
  writeUnitsPerS: capacity.writeUnitsPerS / by,
});

/** A steady growth from 0, reached at the end of so many seconds. */
const ramp =
  (seconds: number, callsPerSecond: number) =>
  (second: number): number =>
    (callsPerSecond * (second + 1)) / seconds;

const tableOf = (
  { kind, units, place }: Access,
  keys: number,
  capacity: PartitionCapacity = SUSTAINED,
): TableProps => ({
  kind,
  units,
  place,
  keys,
  // No split divides the traffic of one position, so none has to be tried.
  capacity: place === "spread" || keys > 1 ? capacity : { ...capacity, heatMs: Infinity },
});

const limitsOf = ({ accesses }: Workload): Access => {
  const found = accesses.find(({ table }) => table === "RateLimits");
  if (found === undefined) throw new Error("A call charges no limit.");
  return found;
};

const readsOf = ({ accesses }: Workload): readonly Access[] => accesses.filter(({ kind }) => kind === "Read");

/** An experiment in which nothing is short but what the account and the tables give. */
function experimentOf(workload: Workload, { stage, account }: Deployment, owners: number): Experiment {
  const { memoryMb } = stage.functions;
  const { limit } = workload.contract;
  const { requestsPerSecond } = account;
  return {
    seconds: 0,
    offered: () => 0,
    throttles: [{ requestsPerSecond, burst: quotas.gatewayBurst.value }],
    environments: {
      durationMs: Math.ceil(durationMs(workload.usage, memoryMb)),
      coldMs: Math.ceil(workMs(workload.coldCpuMs, memoryMb)),
      concurrency: account.concurrency,
      requestsPerEnvironment: quotas.lambdaRequestsPerEnvironment.value,
      scaling: quotas.lambdaScaling.value,
    },
    owners,
    buckets: bucketsOf(stage.rateLimits[limit.name] ?? limit.defaultBuckets, limit.costMax),
    tokens: workload.tokens,
    limits: tableOf(limitsOf(workload), owners),
    reads: readsOf(workload).map((access) => tableOf(access, owners)),
  };
}

/** First pages of one market, which more and more owners ask for, with so many copies of the market. */
export function hotMarket(workload: Workload, deployment: Deployment, mirrors: number): Scenario {
  const seconds = 3 * MINUTE;
  return {
    name: `one hot market, ${mirrors === 1 ? "no mirror" : `${mirrors} mirrors`}`,
    about: "The newest 1,000 trades of one market: from 0 to 2,000 calls a second in three minutes.",
    standsFor: 1,
    experiment: {
      ...experimentOf(workload, deployment, OWNERS),
      seconds,
      offered: ramp(seconds, 2_000),
      reads: readsOf(workload).map((access) => tableOf(access, mirrors)),
    },
  };
}

/** Older pages of one market: the heat of its partition can be split. */
export const olderPages = (workload: Workload, deployment: Deployment): Scenario => ({
  name: "older pages of one market",
  about: "1,000 older trades anywhere in one market: 1,600 calls a second at once, for six minutes.",
  standsFor: 1,
  experiment: {
    ...experimentOf(workload, deployment, OWNERS),
    seconds: 6 * MINUTE,
    offered: () => 1_600,
    reads: readsOf(workload).map((access) => tableOf(access, 1)),
  },
});

/** All callers at once, on functions that nobody has called and tables that have seen as much before. */
export function openingBell(workload: Workload, deployment: Deployment, memoryMb: number): Scenario {
  const { stage, account } = deployment;
  const sized = { account, stage: { ...stage, functions: { ...stage.functions, memoryMb } } };
  const whole = experimentOf(workload, sized, 1_000);
  const grown = (table: TableProps): TableProps => ({ ...table, capacity: shrunk(SUSTAINED, 1 / GROWN) });
  return {
    name: `opening bell, ${memoryMb.toLocaleString("en-US")} MB`,
    about: "8,000 calls a second at once, to functions without a running environment, for ten seconds.",
    standsFor: 1,
    experiment: {
      ...whole,
      seconds: 10,
      offered: () => 8_000,
      limits: grown(whole.limits),
      reads: whole.reads.map(grown),
    },
  };
}

/** All callers of an hour, on new tables that double no sooner than AWS promises. */
export function newTables(workload: Workload, deployment: Deployment): Scenario {
  const standsFor = 50;
  const seconds = 60 * MINUTE;
  const capacity = shrunk({ ...SUSTAINED, heatMs: DOUBLING_MS }, standsFor);
  const whole = experimentOf(workload, deployment, 1_000);
  const smaller = (table: TableProps): TableProps => ({ ...table, capacity });
  return {
    name: "new tables",
    about: "From 0 to 7,000 calls a second in the first of four quarters of an hour, on new tables.",
    standsFor,
    experiment: {
      ...whole,
      seconds,
      offered: (second) => Math.min(7_000, ramp(15 * MINUTE, 7_000)(second)) / standsFor,
      limits: smaller(whole.limits),
      reads: whole.reads.map(smaller),
    },
  };
}
