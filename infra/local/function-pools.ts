import type { Clock } from "../../lib/clock.ts";
import { FunctionPool } from "./function-pool.ts";
import { checkOverrides, variablesOf } from "./function-variables.ts";
import type { Application } from "./template.ts";

export interface PoolsOptions {
  readonly application: Application;
  /** Where the functions' DynamoDB answers. */
  readonly engineEndpoint: string;
  /** Values that exist only while this process runs, in place of the template's. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Receives what functions print, line by line. */
  readonly log: (functionName: string, line: string) => void;
}

/** One pool for each function that a route leads to, with its first environment loaded or known not to load. */
export async function startPools(options: PoolsOptions): Promise<ReadonlyMap<string, FunctionPool>> {
  const { application, engineEndpoint, overrides, clock, log } = options;
  checkOverrides(application.functions, overrides);
  const routed = new Set(application.routes.map(({ functionName }) => functionName));
  const definitions = application.functions.filter(({ name }) => routed.has(name));
  const pools = definitions.map((definition): [string, FunctionPool] => {
    const variables = variablesOf(definition, engineEndpoint, overrides);
    return [
      definition.name,
      new FunctionPool(definition, { variables, clock, log: (line) => log(definition.name, line) }),
    ];
  });
  await Promise.all(pools.map(([, pool]) => pool.warm()));
  return new Map(pools);
}
