import { endpoints } from "../../infra/endpoints.ts";
import { type PoolsOptions, startPool } from "../runtime/function-pools.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import { Faults } from "./faults.ts";

/** The faults of a service whose functions run with `live`. Their environments end with `running`. */
export function openFaults(live: PoolsOptions, basePath: string, running: AsyncDisposableStack): Faults {
  const { routes, functions } = live.application;
  const faults = new Faults({
    routes,
    endpoints,
    basePath,
    startPool: (functionName, change) => {
      const definition = functions.find(({ name }) => name === functionName) as FunctionDefinition;
      return startPool(definition, live, change(definition));
    },
    clock: live.clock,
  });
  running.defer(() => faults.close());
  return faults;
}
