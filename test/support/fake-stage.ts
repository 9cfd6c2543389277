import type { Stage } from "../../infra/stage.ts";
import { physicalTableName, type TableName } from "../../lib/dynamo/tables.ts";
import { stageTables } from "../../ops/store/local-tables.ts";
import type { FakeAws } from "./fake-aws.ts";

const DAY_S = 86_400;
const ACCOUNT = "123456789012";

/** The table that a call names. */
const tableOf = (name: unknown): TableName => String(name).split("-").at(-1) as TableName;

const stackXml = (status: string, outputs: Readonly<Record<string, string>>): string => {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<StackStatus>${status}</StackStatus><Outputs>${members.join("")}</Outputs>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};

/** The outputs of a stage's stacks, by the last part of a stack's name. */
const OUTPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alarms: {
    NoticesTopic: `arn:aws:sns:eu-central-1:${ACCOUNT}:notices`,
    PagesTopic: `arn:aws:sns:eu-central-1:${ACCOUNT}:pages`,
  },
  domains: {
    OpenTarget0A1B: "d-open.execute-api.eu-central-1.amazonaws.com",
    OpenTargetZone0A1B: "Z1",
    MutualTlsTarget0A1B: "d-mtls.execute-api.eu-central-1.amazonaws.com",
    MutualTlsTargetZone0A1B: "Z1",
  },
};

/** The answer of `DescribeTable` for a table of a stage as it is deployed. */
export function describedTable(stageName: string, name: TableName) {
  const definition = stageTables(stageName).find((one) => one.name === physicalTableName(stageName, name));
  return {
    TableName: definition?.name,
    TableArn: `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/${definition?.name}`,
    TableStatus: "ACTIVE",
    KeySchema: definition?.keySchema,
    AttributeDefinitions: definition?.attributes,
    GlobalSecondaryIndexes: definition?.indexes.map((index) => ({ ...index, IndexStatus: "ACTIVE" })),
    DeletionProtectionEnabled: name !== "RateLimits",
    ItemCount: 1,
    TableSizeBytes: 100,
  };
}

export const subscriptionsXml = (...arns: readonly string[]): string => {
  const members = arns.map(
    (arn) =>
      `<member><SubscriptionArn>${arn}</SubscriptionArn><Endpoint>team@example.com</Endpoint><Protocol>email</Protocol></member>`,
  );
  return `<ListSubscriptionsByTopicResponse><ListSubscriptionsByTopicResult><Subscriptions>${members.join("")}</Subscriptions></ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>`;
};

export const stackAnswer = (
  status: string,
  part: string,
  more: Readonly<Record<string, string>> = {},
): string => stackXml(status, { ...OUTPUTS[part], ...more });

export const queueAttributes = (stageName: string, queueUrl: unknown) => ({
  Attributes: {
    SqsManagedSseEnabled: "true",
    ...(String(queueUrl).endsWith("-records") && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: `arn:aws:sqs:eu-central-1:${ACCOUNT}:countinghouse-${stageName}-records-dead`,
        maxReceiveCount: 5,
      }),
    }),
  },
});

/** Lets AWS answer everything that the doctor asks of a stage, as of a healthy one. `now` is in epoch milliseconds. */
export function answerAsHealthy(aws: FakeAws, { name }: Stage, now: number): void {
  const { answers } = aws;
  answers.clear();
  aws.date = new Date(now);
  answers.set(
    "sts:GetCallerIdentity",
    () =>
      `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>${ACCOUNT}</Account><Arn>arn:aws:iam::${ACCOUNT}:user/kim</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  );
  answers.set("cloudformation:DescribeStacks", ({ StackName }) =>
    stackAnswer("UPDATE_COMPLETE", String(StackName).split("-").at(-1) ?? ""),
  );
  answers.set("dynamodb:DescribeTable", ({ TableName }) => ({
    Table: describedTable(name, tableOf(TableName)),
  }));
  answers.set("dynamodb:DescribeTimeToLive", () => ({
    TimeToLiveDescription: { TimeToLiveStatus: "ENABLED", AttributeName: "x" },
  }));
  answers.set("dynamodb:DescribeContinuousBackups", () => ({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "ENABLED" },
    },
  }));
  answers.set("dynamodb:ListTagsOfResource", () => ({
    Tags: [
      { Key: "project", Value: "countinghouse" },
      { Key: "stage", Value: name },
    ],
  }));
  answers.set("lambda:GET /2016-08-19/account-settings", () => ({
    AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
  }));
  for (const one of FUNCTIONS)
    answers.set(`lambda:GET /2015-03-31/functions/countinghouse-${name}-${one}/aliases/live`, () => ({
      Name: "live",
      FunctionVersion: "7",
    }));
  answers.set("acm:DescribeCertificate", () => ({
    Certificate: { Status: "ISSUED", NotAfter: Math.floor(now / 1_000) + 60 * DAY_S },
  }));
  answers.set("cloudwatch:GetMetricData", () => ({
    MetricDataResults: [{ Id: "days", Values: [400], Timestamps: [1] }],
  }));
  answers.set("sns:ListSubscriptionsByTopic", () =>
    subscriptionsXml(`arn:aws:sns:eu-central-1:${ACCOUNT}:notices:1`),
  );
  answers.set("sqs:GetQueueUrl", ({ QueueName }) => ({ QueueUrl: `${aws.endpoint}/1/${String(QueueName)}` }));
  answers.set("sqs:GetQueueAttributes", ({ QueueUrl }) => queueAttributes(name, QueueUrl));
}

/** The functions of a stage. */
const FUNCTIONS = [
  "get-transaction",
  "list-transactions",
  "get-sell-order",
  "get-pass",
  "list-trades",
  "report-expiry",
  "ingest-records",
] as const;
