/**
 * The resource types and properties that the local gateway knows. Any other one stops the start, so that a template
 * cannot gain a meaning on AWS that is silently missing on a laptop. Their names stand in one text, as in a table.
 */
const names = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));

/** Resources whose absence changes no answer here: logs and queries over them, alarms, keys, the gateway's own permissions. */
export const unservedTypes: ReadonlySet<string> = names(
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
export const servedTypes: Readonly<Record<string, ReadonlySet<string>>> = {
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
