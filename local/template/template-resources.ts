/**
 * The resource types and properties that the local gateway knows. Any other one stops the start, so that a template
 * cannot gain a meaning on AWS that is silently missing on a laptop.
 */

/** Resources whose absence changes no answer here: logs and queries over them, alarms, keys, the gateway's own permissions. */
export const unservedTypes: ReadonlySet<string> = new Set([
  "AWS::ApiGatewayV2::ApiMapping",
  // A snapshot of all routes; the routes themselves are read here.
  "AWS::ApiGatewayV2::Deployment",
  "AWS::ApiGatewayV2::DomainName",
  "AWS::Backup::BackupPlan",
  "AWS::Backup::BackupSelection",
  "AWS::Backup::BackupVault",
  "AWS::CDK::Metadata",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::AnomalyDetector",
  "AWS::CloudWatch::CompositeAlarm",
  "AWS::CloudWatch::Dashboard",
  // Moves traffic between versions.
  "AWS::CodeDeploy::Application",
  "AWS::CodeDeploy::DeploymentGroup",
  "AWS::KMS::Alias",
  "AWS::KMS::Key",
  "AWS::Lambda::Permission",
  // The code as it is: a start has no other version of it.
  "AWS::Lambda::Version",
  "AWS::Logs::LogGroup",
  "AWS::Logs::MetricFilter",
  "AWS::Logs::QueryDefinition",
  // The truststore; the port for clients with certificates has an authority of its own.
  "AWS::S3::Bucket",
  "AWS::S3::BucketPolicy",
  // The queues' endpoint takes every caller that reaches it.
  "AWS::SQS::QueuePolicy",
  // Nothing is called by itself here.
  "AWS::Scheduler::Schedule",
  "AWS::Scheduler::ScheduleGroup",
  "AWS::SNS::Subscription",
  "AWS::SNS::Topic",
  "AWS::SNS::TopicPolicy",
]);

/** Properties of a table that are read, whether it is a global one or not. */
const TABLE_PROPERTIES = [
  "TableName",
  "KeySchema",
  "AttributeDefinitions",
  "GlobalSecondaryIndexes",
  "TimeToLiveSpecification",
];

/** Properties of the served resources: `read` are used here, `unserved` are left out because they change no answer. */
export const servedTypes: Readonly<
  Record<string, { readonly read: readonly string[]; readonly unserved: readonly string[] }>
> = {
  "AWS::ApiGatewayV2::Api": {
    read: ["ProtocolType", "CorsConfiguration"],
    unserved: ["Name", "Description", "DisableExecuteApiEndpoint", "Tags"],
  },
  "AWS::ApiGatewayV2::Stage": {
    read: ["StageName"],
    unserved: [
      "ApiId",
      "AccessLogSettings",
      "AutoDeploy",
      "DefaultRouteSettings",
      "DeploymentId",
      "Description",
      "RouteSettings",
      "Tags",
    ],
  },
  "AWS::ApiGatewayV2::Route": {
    read: ["RouteKey", "Target", "AuthorizationType"],
    unserved: ["ApiId", "OperationName"],
  },
  "AWS::ApiGatewayV2::Integration": {
    read: ["IntegrationType", "IntegrationUri", "PayloadFormatVersion", "TimeoutInMillis"],
    unserved: ["ApiId", "Description", "IntegrationMethod"],
  },
  "AWS::Lambda::Function": {
    read: [
      "Code",
      "FunctionName",
      "Handler",
      "Runtime",
      "Timeout",
      "MemorySize",
      "Environment",
      "ReservedConcurrentExecutions",
      "Role",
    ],
    unserved: [
      "Architectures",
      "Description",
      "KmsKeyArn",
      "LoggingConfig",
      "PackageType",
      "RuntimeManagementConfig",
      "Tags",
      "TracingConfig",
    ],
  },
  "AWS::Lambda::Alias": {
    read: ["FunctionName", "Name"],
    unserved: ["Description", "FunctionVersion", "ProvisionedConcurrencyConfig"],
  },
  "AWS::Lambda::EventSourceMapping": {
    read: [
      "BatchSize",
      "EventSourceArn",
      "FunctionName",
      "FunctionResponseTypes",
      "MaximumBatchingWindowInSeconds",
      "ScalingConfig",
    ],
    unserved: ["MetricsConfig", "Tags"],
  },
  "AWS::SQS::Queue": {
    read: [
      "DelaySeconds",
      "MaximumMessageSize",
      "MessageRetentionPeriod",
      "QueueName",
      "ReceiveMessageWaitTimeSeconds",
      "RedrivePolicy",
      "VisibilityTimeout",
    ],
    unserved: [
      "KmsDataKeyReusePeriodSeconds",
      "KmsMasterKeyId",
      "RedriveAllowPolicy",
      "SqsManagedSseEnabled",
      "Tags",
    ],
  },
  "AWS::IAM::ManagedPolicy": {
    read: ["PolicyDocument", "Roles"],
    unserved: ["Description", "Groups", "ManagedPolicyName", "Path", "Users"],
  },
  "AWS::IAM::Policy": {
    read: ["PolicyDocument", "Roles"],
    unserved: ["Groups", "PolicyName", "Users"],
  },
  "AWS::IAM::Role": {
    read: ["ManagedPolicyArns", "PermissionsBoundary", "Policies"],
    unserved: ["AssumeRolePolicyDocument", "Description", "MaxSessionDuration", "Path", "RoleName", "Tags"],
  },
  "AWS::DynamoDB::GlobalTable": {
    read: TABLE_PROPERTIES,
    unserved: [
      "BillingMode",
      "Replicas",
      "SSESpecification",
      "WriteOnDemandThroughputSettings",
      "ReadOnDemandThroughputSettings",
      "WarmThroughput",
    ],
  },
  "AWS::DynamoDB::Table": {
    read: TABLE_PROPERTIES,
    unserved: [
      "BillingMode",
      "DeletionProtectionEnabled",
      "OnDemandThroughput",
      "PointInTimeRecoverySpecification",
      "SSESpecification",
      "TableClass",
      "Tags",
    ],
  },
};
