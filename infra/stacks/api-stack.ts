import { Duration, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CorsHttpMethod,
  type CorsPreflightOptions,
  HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { ApiAddresses } from "../constructs/api-addresses.ts";
import { EndpointFunction } from "../constructs/endpoint-function.ts";
import { removalPolicyOf } from "../constructs/removal-policy.ts";
import { exposedHeaders, requestHeadersOf } from "../cors-headers.ts";
import { type Endpoint, endpoints } from "../endpoints.ts";
import type { Stage } from "../stage.ts";

/**
 * One access log line as JSON. It has the route in place of the path, because a path names a person's pass or order.
 * The function's own log line has the same `requestId`.
 */
const ACCESS_LOG_LINE = JSON.stringify({
  requestId: "$context.requestId",
  requestTime: "$context.requestTime",
  routeKey: "$context.routeKey",
  status: "$context.status",
  responseLength: "$context.responseLength",
  responseLatencyMs: "$context.responseLatency",
  integrationLatencyMs: "$context.integrationLatency",
  integrationStatus: "$context.integrationStatus",
  integrationError: "$context.integrationErrorMessage",
  gatewayError: "$context.error.message",
  protocol: "$context.protocol",
});

/** The HTTP API with one function for each endpoint. Of its resources, only the logs may outlive the stack. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, props: StackProps) {
    super(scope, id, props);
    const api = new HttpApi(this, "Api", {
      apiName: `countinghouse-${stage.name}`,
      createDefaultStage: false,
      // The gateway's own address would bypass the domains and their client certificates.
      disableExecuteApiEndpoint: stage.domains !== undefined,
      ...(stage.corsOrigins.length > 0 && { corsPreflight: corsOf(stage) }),
    });
    const gatewayStage = this.#addGatewayStage(api, stage);
    for (const endpoint of endpoints) this.#addEndpoint(api, stage, endpoint);
    new ApiAddresses(this, "Addresses", { api, gatewayStage, stage });
  }

  #addGatewayStage(api: HttpApi, stage: Stage): HttpStage {
    const logGroup = new LogGroup(this, "AccessLogs", {
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicyOf(stage),
    });
    return new HttpStage(this, "DefaultStage", {
      httpApi: api,
      stageName: "$default",
      autoDeploy: true,
      throttle: { rateLimit: stage.throttle.requestsPerSecond, burstLimit: stage.throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(ACCESS_LOG_LINE),
      },
    });
  }

  #addEndpoint(api: HttpApi, stage: Stage, endpoint: Endpoint): void {
    const { name, route } = endpoint.contract;
    const { lambda } = new EndpointFunction(this, pascalCase(name), stage, endpoint);
    const routes = api.addRoutes({
      path: route,
      methods: [HttpMethod.GET],
      integration: new HttpLambdaIntegration(`${pascalCase(name)}Integration`, lambda),
    });
    for (const added of routes) {
      Validations.of(added).acknowledge({
        id: "AwsSolutions::AwsSolutions-APIG4",
        reason:
          "The function authenticates every request itself: request signatures, hashed API keys and tokens with a " +
          "revocation list are beyond the gateway's authorizers, and a kill switch applies before credentials are read.",
      });
    }
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
