import { availableParallelism } from "node:os";
import { BoundedTasks } from "../../lib/bounded-tasks.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ClockShift } from "../clock/clock-shift.ts";
import { StartError } from "../process/start-error.ts";
import { type OwnStore, randomAccessKeyId } from "../store/engine.ts";
import { sessionArn } from "../store/identity.ts";
import type { FaultyIdentity } from "../store/store-fault.ts";
import type { Application } from "../template/template.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import { FunctionPool, type PoolOptions } from "./function-pool.ts";
import { checkOverrides, variablesOf } from "./function-variables.ts";

export interface PoolsOptions {
  readonly application: Application;
  /** The functions' DynamoDB, which gets each function's access key and permissions. */
  readonly store: Pick<OwnStore, "endpoint" | "admit">;
  /** Environment variables whose values exist only while this process runs; they replace those of the template. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** The endpoint of the functions' queues; absent where none are served. */
  readonly queuesEndpoint?: string | undefined;
  /** How far `clock` is from the machine's, where it is another. */
  readonly clockShift?: ClockShift;
  /** Receives what functions print, line by line. */
  readonly log: (functionName: string, line: string) => void;
}

/** One pool for each function that a route or a queue leads to, by the function's name. A `Renewal` replaces them. */
export type Pools = Map<string, FunctionPool>;

/**
 * Opens the pools and waits until the first bundle of each function with a route has loaded or failed to load: as many
 * at once as there are cores, because more only take more memory. Throws as {@link openPools} does.
 */
export async function startPools(
  options: PoolsOptions,
  admitted: Partial<FaultyIdentity> = {},
): Promise<Pools> {
  const pools = await openPools(options, admitted);
  const routed = routedNames(options.application);
  const loads = new BoundedTasks(availableParallelism());
  for (const [name, pool] of pools) if (routed.has(name)) await loads.run(() => pool.warm());
  await loads.end();
  return pools;
}

/**
 * Opens the pools without starting anything: the first request of a function starts its first environment. Throws a
 * `TemplateError` for an override of a variable that no function has.
 *
 * @param admitted what the store knows of their access keys, if that is not what the functions' roles say.
 */
export async function openPools(
  options: PoolsOptions,
  admitted: Partial<FaultyIdentity> = {},
): Promise<Pools> {
  const { application, overrides } = options;
  checkOverrides(application.functions, overrides);
  const fed = application.eventSources.map(({ functionName }) => functionName);
  const called = new Set([...routedNames(application), ...fed]);
  const definitions = application.functions.filter(({ name }) => called.has(name));
  const pools: Pools = new Map();
  for (const definition of definitions)
    pools.set(definition.name, await openPool(definition, options, admitted, () => pools.values()));
  return pools;
}

/** The functions that are called by routes. */
const routedNames = ({ routes }: Application): ReadonlySet<string> =>
  new Set(routes.map(({ functionName }) => functionName));

/** Starts one more pool of a function, with an access key of its own, and waits until its first bundle has loaded or failed to load. */
export async function startPool(
  definition: FunctionDefinition,
  options: Omit<PoolsOptions, "application">,
  admitted: Partial<FaultyIdentity> = {},
): Promise<FunctionPool> {
  const pool = await openPool(definition, options, admitted);
  await pool.warm();
  return pool;
}

async function openPool(
  definition: FunctionDefinition,
  { store, overrides, queuesEndpoint, clock, clockShift, log }: Omit<PoolsOptions, "application">,
  admitted: Partial<FaultyIdentity>,
  pools?: PoolOptions["pools"],
): Promise<FunctionPool> {
  const identity = { ...identityOf(definition), ...admitted };
  await store.admit(identity);
  const addresses = { endpoint: store.endpoint, accessKeyId: identity.accessKeyId, queuesEndpoint };
  const variables = variablesOf(definition, addresses, overrides);
  const ownLog = (line: string): void => log(definition.name, line);
  const beside = pools && { pools };
  return new FunctionPool(definition, { variables, clock, clockShift, log: ownLog, ...beside });
}

/** The store fails each request, so that a function keeps nothing of it. */
const BARRED: Partial<FaultyIdentity> = { fault: { kind: "unavailable" } };

/** New environments for every function, beside those that run. */
export interface Renewal {
  /**
   * Takes the store from the environments that run, for good: a request under way then fails with a 503. Then it does some
   * work, and gives the store to the new environments, and new requests to them. The old ones finish their requests.
   */
  readonly exchange: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Ends the new environments in place of an exchange. */
  readonly abandon: () => Promise<void>;
}

/**
 * Starts new environments, which remember nothing and read nothing until they are exchanged for those of `pools`.
 *
 * @param start makes the new pools.
 */
export async function prepareRenewal(
  pools: Pools,
  options: PoolsOptions,
  start = startPools,
): Promise<Renewal> {
  const next = await start(options, BARRED);
  const admit = async (those: Pools, fault: Partial<FaultyIdentity>): Promise<void> => {
    for (const { accessKeyId, definition } of those.values())
      await options.store.admit({ ...identityOf(definition), accessKeyId, ...fault });
  };
  const exchange = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await admit(pools, BARRED);
    try {
      return await work();
    } finally {
      // The functions have to run again, even if the work has failed.
      await admit(next, {});
      const old = [...pools.values()];
      for (const [name, pool] of next) pools.set(name, pool);
      // Nobody has to wait until threads have ended.
      for (const pool of old) void pool.retire();
    }
  };
  const abandon = async (): Promise<void> => {
    await Promise.all([...next.values()].map((pool) => pool.close()));
  };
  return { exchange, abandon };
}

/** Pools that have started nothing yet. */
export interface UncheckedPools {
  readonly pools: Pools;
  /**
   * Loads the bundle of each function with a route that no request has loaded before, one after the other. Rejects with a
   * `StartError` that names every bundle which does not load: otherwise a caller's 500 would be the first to tell.
   */
  readonly check: () => Promise<void>;
}

/** Opens the pools, which end with `running`. Throws as {@link openPools} does. */
export async function openUncheckedPools(
  options: PoolsOptions,
  running: AsyncDisposableStack,
): Promise<UncheckedPools> {
  const pools = await openPools(options);
  const routed = routedNames(options.application);
  let isEnding = false;
  running.defer(async () => {
    isEnding = true;
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  });
  const check = async (): Promise<void> => {
    const faults: string[] = [];
    for (const [name, pool] of pools) {
      if (!routed.has(name)) continue;
      await pool.warm();
      if (isEnding) return;
      if (pool.loadFault !== undefined)
        faults.push(`The function ${name} does not load: ${causeOf(pool.loadFault)}`);
    }
    if (faults.length > 0) throw new StartError(faults.join("\n"));
  };
  return { pools, check };
}

/** The message and the first place of a stack trace, as one line. */
function causeOf(stack: string): string {
  const [cause = "", ...rest] = stack.split("\n");
  const place = rest.find((line) => line.startsWith("    at "));
  return `${cause}${place === undefined ? "" : ` (${place.trim()})`}`;
}

/** What the store knows of a function: a new access key, and the permissions of the function's role. */
function identityOf({ name, permissions }: FunctionDefinition): FaultyIdentity {
  const { roleName, statements } = permissions;
  return { accessKeyId: randomAccessKeyId(), arn: sessionArn(roleName, name), statements };
}
