import { type QueueRole, queueName } from "../queues.ts";
import type { Metric } from "./alarm.ts";

/** A metric of a function: all its versions and aliases together. */
export const functionMetric = (
  name: "Duration" | "Errors" | "Throttles" | "Invocations",
  functionName: string,
): Metric => ({
  namespace: "AWS/Lambda",
  name,
  dimensions: { FunctionName: functionName },
});

/** A metric of all functions of the account in the region. */
export const accountMetric = (name: "ClaimedAccountConcurrency" | "ConcurrentExecutions"): Metric => ({
  namespace: "AWS/Lambda",
  name,
  dimensions: {},
});

/** A metric of a table, or of one of its indexes: the table's own does not include them. */
export const tableMetric = (
  name:
    | "ConsumedReadCapacityUnits"
    | "ConsumedWriteCapacityUnits"
    | "ReadThrottleEvents"
    | "WriteThrottleEvents",
  tableName: string,
  index?: string,
): Metric => ({
  namespace: "AWS/DynamoDB",
  name,
  dimensions: { TableName: tableName, ...(index !== undefined && { GlobalSecondaryIndexName: index }) },
});

/** A metric of a queue of a stage. */
export const queueMetric = (
  name: "ApproximateAgeOfOldestMessage" | "ApproximateNumberOfMessagesVisible",
  stageName: string,
  role: QueueRole,
): Metric => ({
  namespace: "AWS/SQS",
  name,
  dimensions: { QueueName: queueName(stageName, role) },
});

/** How many days a certificate of ACM is still valid; ACM reports it once a day until the certificate expires. */
export const certificateMetric = (certificateArn: string): Metric => ({
  namespace: "AWS/CertificateManager",
  name: "DaysToExpiry",
  dimensions: { CertificateArn: certificateArn },
});
