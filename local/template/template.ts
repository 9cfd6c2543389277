import { ownMember } from "../../lib/own-member.ts";
import type { TableDefinition } from "../store/tables.ts";
import { type AssemblyStack, readAssembly } from "./assembly.ts";
import { Intrinsics } from "./intrinsics.ts";
import { functionNameOf, type TemplateResource } from "./resource.ts";
import { TemplateError } from "./template-error.ts";
import { type FunctionDefinition, readFunction } from "./template-function.ts";
import {
  type EventSourceDefinition,
  type QueueDefinition,
  readEventSource,
  readQueue,
} from "./template-queue.ts";
import { readTable } from "./template-table.ts";

/** The gateway waits this long unless the integration sets a shorter timeout (quotas of HTTP APIs). */
const INTEGRATION_TIMEOUT_MS = 30_000;

export interface RouteDefinition {
  /** As in CloudFormation: `GET /transaction/{id}`. */
  readonly routeKey: string;
  readonly functionName: string;
  readonly integrationTimeoutMs: number;
}

/** What a cloud assembly would deploy, as far as a caller of its API can tell. */
export interface Application {
  readonly routes: readonly RouteDefinition[];
  readonly functions: readonly FunctionDefinition[];
  readonly tables: readonly TableDefinition[];
  readonly queues: readonly QueueDefinition[];
  readonly eventSources: readonly EventSourceDefinition[];
  /** Absent when the API has no CORS configuration. */
  readonly cors: CorsRules | undefined;
}

/** The part of an application that a gateway answers for. */
export type ServedApi = Pick<Application, "routes" | "cors">;

/**
 * Reads a synthesized cloud assembly. Throws a `TemplateError` for any resource, property or intrinsic function that
 * the local gateway does not know or cannot imitate.
 */
export const readApplication = (assemblyDirectory: string): Application =>
  applicationOf(readAssembly(assemblyDirectory));

/** The same for the stacks of an assembly. @throws {TemplateError} */
export function applicationOf(stacks: readonly AssemblyStack[]): Application {
  const resources = stacks.flatMap((stack) => resourcesOf(stack, stacks));
  for (const resource of resources) checkKnown(resource);
  const ofType = (...types: string[]) => resources.filter(({ type }) => types.includes(type));
  for (const stage of ofType("AWS::ApiGatewayV2::Stage")) expect(stage, "StageName", "$default");
  const functions = ofType("AWS::Lambda::Function").map((lambda) => readFunction(lambda, resources));
  const missed = ofType("AWS::Scheduler::Schedule").map(missedCallsOf);
  const queues = ofType("AWS::SQS::Queue")
    .map(readQueue)
    .filter(({ arn }) => !missed.includes(arn));
  return {
    routes: ofType("AWS::ApiGatewayV2::Route").map((route) => readRoute(route, resources)),
    functions,
    queues,
    eventSources: ofType("AWS::Lambda::EventSourceMapping").map((source) =>
      readEventSource(source, { queues, functions }),
    ),
    tables: ofType("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable").map(readTable),
    cors: readCors(ofType("AWS::ApiGatewayV2::Api")),
  };
}

/** The ARN of the queue for calls that a schedule could not make. Nothing is called by itself here, so it is not served. */
const missedCallsOf = ({ properties, intrinsics, at }: TemplateResource): unknown =>
  intrinsics.resolve((properties.Target as ScheduleTarget).DeadLetterConfig?.Arn, `${at} DeadLetterConfig`);

interface ScheduleTarget {
  readonly DeadLetterConfig?: { readonly Arn: unknown };
}

function resourcesOf(stack: AssemblyStack, all: readonly AssemblyStack[]): TemplateResource[] {
  const intrinsics = new Intrinsics(stack, all);
  return Object.entries(stack.template.Resources ?? {}).map(
    ([id, { Type: type, Properties: properties = {} }]) => ({
      id,
      type,
      properties,
      stack,
      intrinsics,
      at: `${stack.name}: ${id} (${type})`,
    }),
  );
}

function checkKnown({ type, properties, at }: TemplateResource): void {
  if (unservedTypes.has(type)) return;
  const known = ownMember(servedTypes, type);
  if (known === undefined)
    throw new TemplateError(`${at}: the local gateway does not know this resource type.`);
  for (const property of Object.keys(properties)) {
    if (known.has(property)) continue;
    throw new TemplateError(`${at}: the local gateway does not know the property ${property}.`);
  }
}

function expect({ properties, intrinsics, at }: TemplateResource, property: string, expected: string): void {
  const actual = intrinsics.resolve(ownMember(properties, property), property);
  if (actual === expected) return;
  throw new TemplateError(
    `${at}: ${property} is ${JSON.stringify(actual)}; the local gateway serves only "${expected}".`,
  );
}

function readRoute(route: TemplateResource, resources: readonly TemplateResource[]): RouteDefinition {
  const { properties, intrinsics, at, stack } = route;
  if (properties.AuthorizationType !== undefined) expect(route, "AuthorizationType", "NONE");
  const integrationId = referredId(properties.Target);
  const integration = resources.find(
    ({ id, stack: { name } }) => id === integrationId && name === stack.name,
  );
  if (integration === undefined) throw new TemplateError(`${at}: Target names no integration of its stack.`);
  expect(integration, "IntegrationType", "AWS_PROXY");
  expect(integration, "PayloadFormatVersion", "2.0");
  const timeoutMs = integration.intrinsics.resolve(integration.properties.TimeoutInMillis, "TimeoutInMillis");
  return {
    routeKey: intrinsics.text(properties.RouteKey, `${at} RouteKey`),
    functionName: functionNameOf(
      integration.intrinsics.text(integration.properties.IntegrationUri, `${integration.at} IntegrationUri`),
      `${integration.at} IntegrationUri`,
    ),
    integrationTimeoutMs: typeof timeoutMs === "number" ? timeoutMs : INTEGRATION_TIMEOUT_MS,
  };
}

/** The id in a route's target, which joins the text `integrations/` and a reference. */
function referredId(target: unknown): string | undefined {
  const parts = (target as { "Fn::Join"?: [string, unknown[]] } | undefined)?.["Fn::Join"]?.[1] ?? [];
  return (parts.find((part) => typeof part === "object") as { Ref?: string } | undefined)?.Ref;
}

function readCors(apis: readonly TemplateResource[]): CorsRules | undefined {
  const [api, second] = apis;
  if (api === undefined) throw new TemplateError("The assembly has no HTTP API to serve.");
  if (second !== undefined)
    throw new TemplateError(`${second.at}: the local gateway serves one HTTP API, and this is a second one.`);
  expect(api, "ProtocolType", "HTTP");
  const configuration = api.intrinsics.resolve(
    api.properties.CorsConfiguration,
    `${api.at} CorsConfiguration`,
  );
  return configuration === undefined
    ? undefined
    : corsRulesOf(configuration as Record<string, unknown>, api.at);
}

/** The CORS configuration of an HTTP API. */
export interface CorsRules {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposedHeaders: readonly string[];
  readonly maxAgeS: number | undefined;
  readonly credentials: boolean;
}

const KNOWN_PROPERTIES: ReadonlySet<string> = new Set([
  "AllowCredentials",
  "AllowHeaders",
  "AllowMethods",
  "AllowOrigins",
  "ExposeHeaders",
  "MaxAge",
]);

/** Reads a `CorsConfiguration`. Throws a `TemplateError` for an unknown property. */
function corsRulesOf(configuration: Readonly<Record<string, unknown>>, at: string): CorsRules {
  const strange = Object.keys(configuration).find((property) => !KNOWN_PROPERTIES.has(property));
  if (strange !== undefined)
    throw new TemplateError(`${at}: the local gateway does not know CorsConfiguration.${strange}.`);
  const list = (property: string) => (ownMember(configuration, property) ?? []) as string[];
  const maxAge = configuration.MaxAge;
  return {
    origins: list("AllowOrigins"),
    methods: list("AllowMethods"),
    headers: list("AllowHeaders"),
    exposedHeaders: list("ExposeHeaders"),
    maxAgeS: typeof maxAge === "number" ? maxAge : undefined,
    credentials: configuration.AllowCredentials === true,
  };
}

/**
 * The resource types and properties that the local gateway knows. Any other one stops the start, so that a template
 * cannot gain a meaning on AWS that is silently missing on a laptop. Their names stand in one text, as in a table.
 */
const names = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));

/** Resources whose absence changes no answer here: logs and queries over them, alarms, keys, the gateway's own permissions. */
const unservedTypes: ReadonlySet<string> = names(
  // A deployment is a snapshot of all routes; the routes themselves are read here.
  "AWS::ApiGatewayV2::ApiMapping AWS::ApiGatewayV2::Deployment AWS::ApiGatewayV2::DomainName",
  "AWS::Backup::BackupPlan AWS::Backup::BackupSelection AWS::Backup::BackupVault AWS::CDK::Metadata",
  "AWS::CloudWatch::Alarm AWS::CloudWatch::AnomalyDetector AWS::CloudWatch::CompositeAlarm",
  "AWS::CloudWatch::Dashboard AWS::KMS::Alias AWS::KMS::Key AWS::Lambda::Permission",
  // These move traffic between versions; a start has the code as it is, and no other version of it.
  "AWS::CodeDeploy::Application AWS::CodeDeploy::DeploymentGroup AWS::Lambda::Version",
  "AWS::Logs::LogGroup AWS::Logs::MetricFilter AWS::Logs::QueryDefinition",
  // The truststore; the port for clients with certificates has an authority of its own.
  "AWS::S3::Bucket AWS::S3::BucketPolicy",
  // The queues' endpoint takes every caller that reaches it.
  "AWS::SQS::QueuePolicy",
  // Nothing is called by itself here.
  "AWS::Scheduler::Schedule AWS::Scheduler::ScheduleGroup",
  "AWS::SNS::Subscription AWS::SNS::Topic AWS::SNS::TopicPolicy",
);

/** Properties of a table that are read, whether it is a global one or not. */
const TABLE = "TableName KeySchema AttributeDefinitions GlobalSecondaryIndexes TimeToLiveSpecification";

/** Properties of the served resources: first those that are used here, then those that change no answer. */
const servedTypes: Readonly<Record<string, ReadonlySet<string>>> = {
  "AWS::ApiGatewayV2::Api": names(
    "ProtocolType CorsConfiguration",
    "Name Description DisableExecuteApiEndpoint Tags",
  ),
  "AWS::ApiGatewayV2::Stage": names(
    "StageName",
    "ApiId AccessLogSettings AutoDeploy DefaultRouteSettings DeploymentId Description RouteSettings Tags",
  ),
  "AWS::ApiGatewayV2::Route": names("RouteKey Target AuthorizationType", "ApiId OperationName"),
  "AWS::ApiGatewayV2::Integration": names(
    "IntegrationType IntegrationUri PayloadFormatVersion TimeoutInMillis",
    "ApiId Description IntegrationMethod",
  ),
  "AWS::Lambda::Function": names(
    "Code FunctionName Handler Runtime Timeout MemorySize Environment ReservedConcurrentExecutions Role",
    "Architectures Description KmsKeyArn LoggingConfig PackageType RuntimeManagementConfig Tags TracingConfig",
  ),
  "AWS::Lambda::Alias": names(
    "FunctionName Name",
    "Description FunctionVersion ProvisionedConcurrencyConfig",
  ),
  "AWS::Lambda::EventSourceMapping": names(
    "BatchSize EventSourceArn FunctionName FunctionResponseTypes MaximumBatchingWindowInSeconds ScalingConfig",
    "MetricsConfig Tags",
  ),
  "AWS::SQS::Queue": names(
    "DelaySeconds MaximumMessageSize MessageRetentionPeriod QueueName ReceiveMessageWaitTimeSeconds",
    "RedrivePolicy VisibilityTimeout",
    "KmsDataKeyReusePeriodSeconds KmsMasterKeyId RedriveAllowPolicy SqsManagedSseEnabled Tags",
  ),
  "AWS::IAM::ManagedPolicy": names("PolicyDocument Roles", "Description Groups ManagedPolicyName Path Users"),
  "AWS::IAM::Policy": names("PolicyDocument Roles", "Groups PolicyName Users"),
  "AWS::IAM::Role": names(
    "ManagedPolicyArns PermissionsBoundary Policies",
    "AssumeRolePolicyDocument Description MaxSessionDuration Path RoleName Tags",
  ),
  "AWS::DynamoDB::GlobalTable": names(
    TABLE,
    "BillingMode Replicas SSESpecification WriteOnDemandThroughputSettings ReadOnDemandThroughputSettings",
    "WarmThroughput",
  ),
  "AWS::DynamoDB::Table": names(
    TABLE,
    "BillingMode DeletionProtectionEnabled OnDemandThroughput PointInTimeRecoverySpecification SSESpecification",
    "TableClass Tags",
  ),
};
