import { Duration, Stack, Validations } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type IVersion,
  LoggingFormat,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { type ILogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { bundlingOptions } from "../bundling/bundling-options.ts";
import type { Endpoint, TableUse } from "../endpoints.ts";
import { environmentOf } from "../environment.ts";
import type { Stage } from "../stage.ts";
import { keyStatementsOf, ownKey } from "./own-key.ts";
import { removalPolicyOf } from "./removal-policy.ts";

const projectRoot = `${import.meta.dirname}/../..`;

/**
 * The function of one endpoint, with a role of its own that may write to its own log group and do with its tables
 * what the list of endpoints says, and nothing else. Its environment is what its contract names. Requests go to its alias `live`.
 */
export class EndpointFunction extends Construct {
  /** The version that requests go to. An earlier one is a change of this alias away. */
  readonly live: Alias;
  /** The group of its lines, and of Lambda's own about its invocations. */
  readonly logGroup: ILogGroup;

  constructor(scope: Construct, id: string, stage: Stage, endpoint: Endpoint) {
    super(scope, id);
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    const logGroup = new LogGroup(this, "Logs", {
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicyOf(stage),
      ...(stage.encryption !== undefined && { encryptionKey: ownKey(this, stage.encryption) }),
    });
    logGroup.grantWrite(role);
    this.logGroup = logGroup;
    for (const statement of endpoint.tables.flatMap((use) => this.#statementsOf(stage, use)))
      role.addToPolicy(statement);
    for (const statement of keyStatementsOf(this, stage)) role.addToPolicy(statement);
    if (stage.functions.tracing) this.#acknowledgeTracing(role);
    const reserved = stage.functions.reservedConcurrency[endpoint.contract.name];
    const lambda = new NodejsFunction(this, "Function", {
      functionName: `countinghouse-${stage.name}-${endpoint.contract.name}`,
      description: `${endpoint.contract.method} ${endpoint.contract.route}`,
      entry: `${projectRoot}/${endpoint.entry}`,
      projectRoot,
      depsLockFilePath: `${projectRoot}/package-lock.json`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: stage.functions.memoryMb,
      timeout: Duration.seconds(stage.functions.timeoutSeconds),
      ...(stage.functions.tracing && { tracing: Tracing.ACTIVE }),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      environment: environmentOf(stage, endpoint),
      awsSdkConnectionReuse: false,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      bundling: bundlingOptions(stage.functions.stockSdk ? [] : endpoint.replaced),
      // Earlier versions stay, to go back to.
      currentVersionOptions: { removalPolicy: removalPolicyOf(stage) },
    });
    // The types of the CDK leave out that a version may lack a role.
    const version = lambda.currentVersion as IVersion;
    this.live = new Alias(this, "Live", { aliasName: "live", version });
  }

  #acknowledgeTracing(role: Role): void {
    Validations.of(role).acknowledge({
      id: "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
      reason: "X-Ray's actions to send traces know no resources.",
    });
  }

  #statementsOf(stage: Stage, { table, actions, queriedIndexes }: TableUse): PolicyStatement[] {
    const resourceName = stage.tables[table];
    const arn = (suffix = "") =>
      Stack.of(this).formatArn({
        service: "dynamodb",
        resource: "table",
        resourceName: `${resourceName}${suffix}`,
      });
    const allow = (names: readonly string[], resources: string[]) =>
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: names.map((name) => `dynamodb:${name}`),
        resources,
      });
    return [
      ...(actions.length > 0 ? [allow(actions, [arn()])] : []),
      ...(queriedIndexes.length > 0
        ? [
            allow(
              ["Query"],
              queriedIndexes.map((index) => arn(`/index/${index}`)),
            ),
          ]
        : []),
    ];
  }
}
