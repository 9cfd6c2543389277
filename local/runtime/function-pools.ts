import type { Clock } from "../../lib/clock.ts";
import { StartError } from "../start-error.ts";
import { type OwnStore, randomAccessKeyId } from "../store/engine.ts";
import { sessionArn } from "../store/identity.ts";
import type { Application } from "../template/template.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import { FunctionPool } from "./function-pool.ts";
import { checkOverrides, variablesOf } from "./function-variables.ts";

export interface PoolsOptions {
  readonly application: Application;
  /** The functions' DynamoDB, which is told who they are. */
  readonly store: Pick<OwnStore, "endpoint" | "admit">;
  /** Values that exist only while this process runs, in place of the template's. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Receives what functions print, line by line. */
  readonly log: (functionName: string, line: string) => void;
}

/** One pool for each function that a route leads to, by the function's name. */
export type Pools = ReadonlyMap<string, FunctionPool>;

/**
 * Pools whose first environments are loaded or known not to load. Throws a `TemplateError` where an override is no
 * function's.
 */
export async function startPools(options: PoolsOptions): Promise<Pools> {
  const { application, store, overrides, clock, log } = options;
  checkOverrides(application.functions, overrides);
  const routed = new Set(application.routes.map(({ functionName }) => functionName));
  const definitions = application.functions.filter(({ name }) => routed.has(name));
  const pools = await Promise.all(
    definitions.map(async (definition): Promise<[string, FunctionPool]> => {
      const accessKeyId = await admit(store, definition);
      const variables = variablesOf(definition, { endpoint: store.endpoint, accessKeyId }, overrides);
      const parts = { variables, clock, log: (line: string) => log(definition.name, line) };
      return [definition.name, new FunctionPool(definition, parts)];
    }),
  );
  await Promise.all(pools.map(([, pool]) => pool.warm()));
  return new Map(pools);
}

/**
 * Starts the pools beside whatever else the caller starts; they end with `running`. Rejects with a `StartError` for what
 * the person who started it can mend. It may be awaited late, or never: that is no unhandled rejection.
 */
export function startPoolsAhead(options: PoolsOptions, running: AsyncDisposableStack): Promise<Pools> {
  const starting = startPools(options);
  running.defer(async () => {
    // What did not start has nothing to end, and was or will be told.
    const pools = await starting.catch((): Pools => new Map());
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  });
  const loaded = starting.then(requireLoaded);
  loaded.catch(() => {});
  return loaded;
}

/** Better said at the start than by a 500 to the first caller. */
function requireLoaded(pools: Pools): Pools {
  const faults = [...pools].flatMap(([name, { loadFault }]) =>
    loadFault === undefined ? [] : [`The function ${name} does not load: ${causeOf(loadFault)}`],
  );
  if (faults.length > 0) throw new StartError(faults.join("\n"));
  return pools;
}

/** What a stack begins with, and where: one line. */
function causeOf(stack: string): string {
  const [cause = "", ...rest] = stack.split("\n");
  const place = rest.find((line) => line.startsWith("    at "));
  return `${cause}${place === undefined ? "" : ` (${place.trim()})`}`;
}

/** Makes a function known to the store, with what its role allows. @returns its access key in this start. */
async function admit(
  store: PoolsOptions["store"],
  { name, permissions }: FunctionDefinition,
): Promise<string> {
  const accessKeyId = randomAccessKeyId();
  const { roleName, statements } = permissions;
  await store.admit({ accessKeyId, arn: sessionArn(roleName, name), statements });
  return accessKeyId;
}
