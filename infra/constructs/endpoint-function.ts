import type { Construct } from "constructs";
import type { Endpoint } from "../endpoints.ts";
import { environmentOf } from "../environment.ts";
import type { Stage } from "../stage.ts";
import { ServiceFunction } from "./service-function.ts";

/**
 * The function of one endpoint, which may do with its tables what the list of endpoints says. Its environment is what
 * its contract names.
 */
export class EndpointFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, stage: Stage, endpoint: Endpoint) {
    const { contract, entry, tables, replaced } = endpoint;
    super(scope, id, stage, {
      name: contract.name,
      description: `${contract.method} ${contract.route}`,
      entry,
      timeoutSeconds: stage.functions.timeoutSeconds,
      environment: environmentOf(stage, endpoint),
      tables,
      replaced,
      reservedConcurrency: stage.functions.reservedConcurrency[contract.name],
    });
  }
}
