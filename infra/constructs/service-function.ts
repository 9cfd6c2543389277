import { Duration, Validations } from "aws-cdk-lib";
import { type Policy, type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Function as CdkFunction,
  type IVersion,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { type ILogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { bundledCode } from "../bundling/bundled-code.ts";
import type { ReplacedModule } from "../bundling/stand-ins.ts";
import { functionName } from "../function-name.ts";
import type { Stage } from "../stage.ts";
import { acknowledgeNamePatterns } from "./name-patterns.ts";
import { keyStatementsOf, ownKey } from "./own-key.ts";
import { removalPolicyOf } from "./removal-policy.ts";
import { retentionOf } from "./retention.ts";
import { type TableGrant, tableStatementsOf } from "./table-statements.ts";

/** What sets one function of a stage apart from the others. */
export interface ServiceFunctionProps {
  readonly name: string;
  readonly description: string;
  /** The function's file, from the top of the project. */
  readonly entry: `functions/${string}.ts`;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** What the function may do with its tables. */
  readonly tables: readonly TableGrant[];
  /** What it may do with other resources. */
  readonly statements?: readonly PolicyStatement[];
  /** Modules of the SDK that stand-ins replace, unless the stage sets `stockSdk`. */
  readonly replaced: readonly ReplacedModule[];
  readonly reservedConcurrency?: number | undefined;
}

/**
 * A function with a role of its own that may write to its own log group and do what its grants say, and nothing else.
 * Calls go to its alias `live`.
 */
export class ServiceFunction extends Construct {
  /** The version that calls go to. An earlier one is a change of this alias away. */
  readonly live: Alias;
  /** The group of its lines, and of Lambda's own about its invocations. */
  readonly logGroup: ILogGroup;

  constructor(scope: Construct, id: string, stage: Stage, props: ServiceFunctionProps) {
    super(scope, id);
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    const encryptionKey = ownKey(this, stage);
    const logGroup = new LogGroup(this, "Logs", {
      retention: retentionOf(stage.logRetentionDays),
      removalPolicy: removalPolicyOf(stage),
      ...(encryptionKey !== undefined && { encryptionKey }),
    });
    logGroup.grantWrite(role);
    this.logGroup = logGroup;
    const { tables, statements = [] } = props;
    const granted = tables.flatMap((grant) => tableStatementsOf(this, stage, grant));
    for (const statement of [...granted, ...statements, ...keyStatementsOf(this, stage)])
      role.addToPolicy(statement);
    acknowledgeNamePatterns(role.node.findChild("DefaultPolicy") as Policy);
    if (stage.functions.tracing) this.#acknowledgeTracing(role);
    const lambda = this.#addFunction(stage, props, { role, logGroup });
    // The types of the CDK leave out that a version may lack a role.
    const version = lambda.currentVersion as IVersion;
    this.live = new Alias(this, "Live", { aliasName: "live", version });
  }

  #addFunction(
    stage: Stage,
    {
      name,
      description,
      entry,
      timeoutSeconds,
      environment,
      replaced,
      reservedConcurrency,
    }: ServiceFunctionProps,
    own: { readonly role: Role; readonly logGroup: LogGroup },
  ): CdkFunction {
    return new CdkFunction(this, "Function", {
      functionName: functionName(stage.name, name),
      description,
      code: bundledCode({ entry, replaced: stage.functions.stockSdk ? [] : replaced }),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: stage.functions.memoryMb,
      timeout: Duration.seconds(timeoutSeconds),
      ...(stage.functions.tracing && { tracing: Tracing.ACTIVE }),
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      environment: { ...environment },
      ...own,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel[stage.functions.systemLogLevel],
      // Earlier versions stay, to go back to.
      currentVersionOptions: { removalPolicy: removalPolicyOf(stage) },
    });
  }

  #acknowledgeTracing(role: Role): void {
    Validations.of(role).acknowledge({
      id: "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
      reason: "X-Ray's actions to send traces know no resources.",
    });
  }
}
