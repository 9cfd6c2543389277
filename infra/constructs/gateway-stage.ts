import { Aws, Fn } from "aws-cdk-lib";
import { CfnStage, type HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { type ILogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { RouteThrottle } from "../settings/throttle.ts";
import type { Stage } from "../stage.ts";
import { AccessLogMetrics } from "./access-log-metrics.ts";
import { ownKey } from "./own-key.ts";
import { removalPolicyOf } from "./removal-policy.ts";
import { retentionOf } from "./retention.ts";

/**
 * One access log line as JSON. It has the route in place of the path, because a path names a person's pass or order.
 * The function's own line has `requestId` and `integrationRequestId` too. A member without a value is `-`.
 */
const ACCESS_LOG_LINE = {
  requestId: "$context.requestId",
  integrationRequestId: "$context.integration.requestId",
  requestTime: "$context.requestTime",
  routeKey: "$context.routeKey",
  status: "$context.status",
  responseLength: "$context.responseLength",
  responseLatencyMs: "$context.responseLatency",
  integrationLatencyMs: "$context.integrationLatency",
  integrationStatus: "$context.integrationStatus",
  // The status that the function gave, and `-` if it gave none; the one above is Lambda's.
  functionStatus: "$context.integration.status",
  integrationError: "$context.integrationErrorMessage",
  gatewayError: "$context.error.message",
  protocol: "$context.protocol",
  domainName: "$context.domainName",
  sourceIp: "$context.identity.sourceIp",
  clientCertSubject: "$context.identity.clientCert.subjectDN",
  clientCertSerial: "$context.identity.clientCert.serialNumber",
  clientCertIssuer: "$context.identity.clientCert.issuerDN",
};

/**
 * The name of the access log's group. API Gateway adds each group outside of `/aws/vendedlogs/` to a resource policy
 * that holds 5,120 characters for a whole region, and then no stage can be made any more. The end of the stack's id
 * makes the name new for a stack that is made anew, because the old group stays.
 */
const accessLogName = (stageName: string): string =>
  `/aws/vendedlogs/countinghouse/${stageName}/access-${Fn.select(2, Fn.split("/", Aws.STACK_ID))}`;

/** The settings of one route as the service's API names them: CloudFormation passes this member on as it is. */
const routeSettingsOf = ({ routeKey, requestsPerSecond, burst }: RouteThrottle) => [
  routeKey,
  { ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: burst },
];

export interface GatewayStageProps {
  readonly api: HttpApi;
  readonly stage: Stage;
  /** The snapshot of the API that is served. */
  readonly deploymentId: string;
}

/** The one stage of the API, `$default`: what it serves, how much of it, and its access log. */
export class GatewayStage extends Construct {
  /** The stage's name, as a reference that orders what uses it after the stage. */
  readonly stageName: string;
  /** The group of the access log. */
  readonly accessLog: ILogGroup;

  constructor(scope: Construct, id: string, { api, stage, deploymentId }: GatewayStageProps) {
    super(scope, id);
    const { throttle } = stage;
    const encryptionKey = ownKey(this, stage);
    const logGroup = new LogGroup(this, "AccessLogs", {
      logGroupName: accessLogName(stage.name),
      retention: retentionOf(stage.accessLogRetentionDays),
      removalPolicy: removalPolicyOf(stage),
      ...(encryptionKey !== undefined && { encryptionKey }),
    });
    const gatewayStage = new CfnStage(this, "Default", {
      apiId: api.apiId,
      stageName: "$default",
      autoDeploy: false,
      deploymentId,
      defaultRouteSettings: {
        throttlingRateLimit: throttle.requestsPerSecond,
        throttlingBurstLimit: throttle.burst,
      },
      // A route without settings of its own would share the stage's throttle with all others.
      routeSettings: Object.fromEntries(throttle.routes.map(routeSettingsOf)),
      accessLogSettings: {
        destinationArn: logGroup.logGroupArn,
        format: JSON.stringify({ stage: stage.name, ...ACCESS_LOG_LINE }),
      },
    });
    new AccessLogMetrics(this, "AccessLogMetrics", { logGroup });
    this.stageName = gatewayStage.ref;
    this.accessLog = logGroup;
  }
}
