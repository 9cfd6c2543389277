import type { Stage } from "../../infra/stage.ts";
import type { BucketSettings } from "../../lib/rate-limit/settings.ts";
import { deployedTerms, durationMs, sumOf } from "../deployed-bill.ts";
import { type Account, quotas } from "./quotas.ts";
import type { Access, Place, Workload } from "./workloads.ts";

/** Whose calls a rate counts. */
export type Scope = "one owner" | "one market" | "all callers";

/** A rate that calls cannot pass, the reason, and the remedy. */
export interface Wall {
  readonly scope: Scope;
  readonly name: string;
  /** Calls a second at which the wall is met, however long they go on. */
  readonly callsPerSecond: number;
  /** Dollars for an hour at that rate. */
  readonly dollarsPerHour: number;
  readonly lift: string;
}

/** What stands in for the whole deployment: a stage's settings, and what the account was granted. */
export interface Deployment {
  readonly stage: Pick<Stage, "functions" | "rateLimits" | "throttle">;
  readonly account: Account;
}

type BareWall = Omit<Wall, "dollarsPerHour">;

/** How often an environment reads again what it remembers, in ms. */
const REREAD_MS = 5_000;
const MILLION = 1_000_000;

/** Every wall that a kind of call can meet, the lowest of each scope first. */
export function wallsOf(workload: Workload, deployment: Deployment): readonly Wall[] {
  const walls = [
    ...ownLimit(workload, deployment),
    ...workload.accesses.flatMap(partitionWall),
    ...throttleWalls(workload, deployment),
    ...lambdaWalls(workload, deployment),
    ...tableWalls(workload.accesses),
  ];
  const dollarsPerCall = sumOf(deployedTerms(workload.usage, deployment.stage.functions)) / MILLION;
  return walls
    .map((wall) => ({ ...wall, dollarsPerHour: wall.callsPerSecond * dollarsPerCall * 3_600 }))
    .toSorted((a, b) => a.callsPerSecond - b.callsPerSecond);
}

const bucketRate = ({ refillTokens, refillWindowMs }: BucketSettings): number =>
  (refillTokens * 1_000) / refillWindowMs;

function ownLimit({ contract, tokens }: Workload, { stage }: Deployment): BareWall[] {
  const { limit } = contract;
  return (stage.rateLimits[limit.name] ?? limit.defaultBuckets).map((bucket) => ({
    scope: "one owner",
    name: `the owner's limit, bucket ${bucket.name}`,
    callsPerSecond: bucketRate(bucket) / tokens,
    lift: `rateLimits.${limit.name} of the stage`,
  }));
}

/** What DynamoDB gives to one key, unless it can split the key's range for heat. */
function partitionWall({ table, index, kind, units, meets, place }: Access): BareWall[] {
  if (place === "spread") return [];
  const quota = kind === "Read" ? quotas.partitionReads : quotas.partitionWrites;
  const scope = meets === "a market" ? "one market" : "one owner";
  const where = index ?? table;
  const what = place === "one item" ? "the item" : "the newest items";
  return [
    {
      scope,
      name: `${what} of ${meets} in ${where}`,
      callsPerSecond: quota.value / units,
      lift: partitionLift(place, meets),
    },
  ];
}

function partitionLift(place: Place, meets: Access["meets"]): string {
  if (place === "one item") return "nothing: an item is in one partition";
  return meets === "a market" ? "smaller pages" : "a shorter list (`count`)";
}

/** A wall that all callers meet together. */
const wall = (name: string, callsPerSecond: number, lift: string): BareWall => ({
  scope: "all callers",
  name,
  callsPerSecond,
  lift,
});

function throttleWalls({ contract }: Workload, { stage, account }: Deployment): BareWall[] {
  const routeKey = `${contract.method} ${contract.route}`;
  const route = stage.throttle.routes.find((throttle) => throttle.routeKey === routeKey);
  if (route === undefined) throw new Error(`${routeKey} has no throttle.`);
  return [
    wall("the route's throttle", route.requestsPerSecond, "throttle.owners or throttle.routes of the stage"),
    wall(
      "the stage's throttle, all routes together",
      stage.throttle.requestsPerSecond,
      "throttle.requestsPerSecond of the stage",
    ),
    wall("the gateway's quota of the account", account.requestsPerSecond, "a request to AWS"),
  ];
}

function lambdaWalls(
  { contract, usage, settingsItems }: Workload,
  { stage, account }: Deployment,
): BareWall[] {
  const { reservedConcurrency, memoryMb } = stage.functions;
  const seconds = durationMs(usage, memoryMb) / 1_000;
  const reserved = reservedConcurrency[contract.name];
  const environments = reserved ?? account.concurrency;
  const settingsEnvironments = (quotas.partitionReads.value * REREAD_MS) / 1_000 / settingsItems;
  return [
    wall(
      reserved === undefined
        ? "Lambda's environments of the account"
        : "the function's reserved environments",
      environments / seconds,
      reserved === undefined ? "a request to AWS" : "functions.reservedConcurrency of the stage",
    ),
    wall(
      "Lambda's requests a second of the account",
      account.concurrency * quotas.lambdaRequestsPerEnvironment.value,
      "a request to AWS for more environments",
    ),
    wall(
      "items of Settings that environments re-read",
      settingsEnvironments / seconds,
      "a longer memory of switches (lib/dynamo/read-cache.ts)",
    ),
  ];
}

function tableWalls(accesses: readonly Access[]): BareWall[] {
  return accesses.flatMap(({ table, index, kind, units }) => {
    const [fresh, whole] =
      kind === "Read"
        ? [quotas.newTableReads, quotas.tableReads]
        : [quotas.newTableWrites, quotas.tableWrites];
    const where = index ?? table;
    return [
      wall(`${where}, as long as it is new`, fresh.value / units, "half an hour of use, or warm throughput"),
      wall(`the quota of ${where}`, whole.value / units, "a request to AWS"),
    ];
  });
}
