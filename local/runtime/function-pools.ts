import type { Clock } from "../../lib/clock.ts";
import { StartError } from "../start-error.ts";
import { type OwnStore, randomAccessKeyId } from "../store/engine.ts";
import { sessionArn } from "../store/identity.ts";
import type { FaultyIdentity } from "../store/store-fault.ts";
import type { Application } from "../template/template.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import { FunctionPool } from "./function-pool.ts";
import { checkOverrides, variablesOf } from "./function-variables.ts";

export interface PoolsOptions {
  readonly application: Application;
  /** The functions' DynamoDB, which gets each function's access key and permissions. */
  readonly store: Pick<OwnStore, "endpoint" | "admit">;
  /** Environment variables whose values exist only while this process runs; they replace those of the template. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Receives what functions print, line by line. */
  readonly log: (functionName: string, line: string) => void;
}

/** One pool for each function that a route leads to, by the function's name. */
export type Pools = ReadonlyMap<string, FunctionPool>;

/**
 * Starts the pools and waits until the first bundle of each has loaded or failed to load. Throws a `TemplateError` for
 * an override of a variable that no function has.
 */
export async function startPools(options: PoolsOptions): Promise<Pools> {
  const { application, overrides } = options;
  checkOverrides(application.functions, overrides);
  const routed = new Set(application.routes.map(({ functionName }) => functionName));
  const definitions = application.functions.filter(({ name }) => routed.has(name));
  const pools = await Promise.all(
    definitions.map(async (definition) => [definition.name, await startPool(definition, options)] as const),
  );
  return new Map(pools);
}

/**
 * Starts one more pool of a function, with an access key of its own, and waits until its first bundle has loaded or
 * failed to load.
 *
 * @param admitted what the store knows of its access key, if that is not what the function's role says.
 */
export async function startPool(
  definition: FunctionDefinition,
  { store, overrides, clock, log }: Omit<PoolsOptions, "application">,
  admitted: Partial<FaultyIdentity> = {},
): Promise<FunctionPool> {
  const identity = { ...identityOf(definition), ...admitted };
  await store.admit(identity);
  const address = { endpoint: store.endpoint, accessKeyId: identity.accessKeyId };
  const variables = variablesOf(definition, address, overrides);
  const pool = new FunctionPool(definition, { variables, clock, log: (line) => log(definition.name, line) });
  await pool.warm();
  return pool;
}

/**
 * Starts the pools while the caller starts other things; the pools end with `running`. The promise rejects with a
 * `StartError` for what the user can fix. It may be awaited late or never without an unhandled rejection.
 */
export function startPoolsAhead(options: PoolsOptions, running: AsyncDisposableStack): Promise<Pools> {
  const starting = startPools(options);
  running.defer(async () => {
    // Pools that did not start have nothing to end, and the returned promise rejects with the reason.
    const pools = await starting.catch((): Pools => new Map());
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  });
  const loaded = starting.then(requireLoaded);
  loaded.catch(() => {});
  return loaded;
}

/** A bundle that does not load fails the start, so that it does not fail the first caller with a 500. */
function requireLoaded(pools: Pools): Pools {
  const faults = [...pools].flatMap(([name, { loadFault }]) =>
    loadFault === undefined ? [] : [`The function ${name} does not load: ${causeOf(loadFault)}`],
  );
  if (faults.length > 0) throw new StartError(faults.join("\n"));
  return pools;
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
