import { Duration, Stack, type StackProps, Validations } from "aws-cdk-lib";
import {
  CorsHttpMethod,
  type CorsPreflightOptions,
  HttpApi,
  HttpMethod,
  type HttpRoute,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { Alias, IFunction } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { INGEST_NAME } from "../../lib/ingest/settings.ts";
import { UPKEEP_NAME } from "../../lib/upkeep/settings.ts";
import { ApiAddresses } from "../constructs/api-addresses.ts";
import { EndpointFunction } from "../constructs/endpoint-function.ts";
import { GatewayDeployment } from "../constructs/gateway-deployment.ts";
import { GatewayStage } from "../constructs/gateway-stage.ts";
import { GradualRelease } from "../constructs/gradual-release.ts";
import { IngestFunction } from "../constructs/ingest-function.ts";
import { SavedQueries } from "../constructs/saved-queries.ts";
import { UpkeepFunction } from "../constructs/upkeep-function.ts";
import { exposedHeaders, requestHeadersOf } from "../cors-headers.ts";
import { type Endpoint, endpoints } from "../endpoints.ts";
import type { Stage } from "../stage.ts";

/**
 * The HTTP API with one function for each endpoint, and the functions that schedules and queues call. Of its resources,
 * only the logs may outlive the stack.
 */
export class ApiStack extends Stack {
  readonly #aliases = new Map<string, Alias>();
  readonly #functionLogs: ILogGroup[] = [];

  constructor(scope: Construct, id: string, stage: Stage, props: StackProps) {
    super(scope, id, props);
    const api = new HttpApi(this, "Api", {
      apiName: `countinghouse-${stage.name}`,
      createDefaultStage: false,
      // The gateway's own address would bypass the domains and their client certificates.
      disableExecuteApiEndpoint: stage.domains !== undefined,
      ...(stage.corsOrigins.length > 0 && { corsPreflight: corsOf(stage) }),
    });
    const routes = endpoints.flatMap((endpoint) => this.#addEndpoint(api, stage, endpoint));
    const { deploymentId } = new GatewayDeployment(this, "Deployment", { api, routes });
    const { stageName, accessLog } = new GatewayStage(this, "Stage", { api, stage, deploymentId });
    const { logGroup } = new UpkeepFunction(this, pascalCase(UPKEEP_NAME), stage);
    this.#functionLogs.push(logGroup);
    if (stage.ingest !== undefined)
      this.#functionLogs.push(new IngestFunction(this, pascalCase(INGEST_NAME), stage).logGroup);
    const logs = { access: accessLog, functions: this.#functionLogs };
    new SavedQueries(this, "Queries", { stageName: stage.name, logs });
    const { shift } = stage.release;
    if (shift !== undefined) new GradualRelease(this, "Release", { aliases: this.#aliases, shift });
    new ApiAddresses(this, "Addresses", { api, gatewayStageName: stageName, stage });
  }

  #addEndpoint(api: HttpApi, stage: Stage, endpoint: Endpoint): readonly HttpRoute[] {
    const { name, route } = endpoint.contract;
    const { live, logGroup } = new EndpointFunction(this, pascalCase(name), stage, endpoint);
    this.#aliases.set(name, live);
    this.#functionLogs.push(logGroup);
    const routes = api.addRoutes({
      path: route,
      methods: [HttpMethod.GET],
      integration: new HttpLambdaIntegration(`${pascalCase(name)}Integration`, live as IFunction),
    });
    for (const added of routes) {
      Validations.of(added).acknowledge({
        id: "AwsSolutions::AwsSolutions-APIG4",
        reason:
          "The function authenticates every request itself: request signatures, hashed API keys and tokens with a " +
          "revocation list are beyond the gateway's authorizers, and a kill switch applies before credentials are read.",
      });
    }
    return routes;
  }
}

const pascalCase = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const corsOf = (stage: Stage): CorsPreflightOptions => ({
  allowOrigins: stage.corsOrigins,
  allowMethods: [CorsHttpMethod.GET],
  allowHeaders: requestHeadersOf(stage),
  exposeHeaders: [...exposedHeaders],
  maxAge: Duration.hours(1),
});
