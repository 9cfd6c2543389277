import type { Clock } from "../../lib/clock.ts";
import { type OwnStore, randomAccessKeyId } from "./engine.ts";
import { FunctionPool } from "./function-pool.ts";
import { checkOverrides, variablesOf } from "./function-variables.ts";
import { sessionArn } from "./store/identity.ts";
import type { Application } from "./template.ts";
import type { FunctionDefinition } from "./template-function.ts";

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

/** One pool for each function that a route leads to, with its first environment loaded or known not to load. */
export async function startPools(options: PoolsOptions): Promise<ReadonlyMap<string, FunctionPool>> {
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
