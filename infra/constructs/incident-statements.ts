import { ArnFormat, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { type TableName, tables } from "../../lib/dynamo/tables.ts";
import { INGEST_NAME } from "../../lib/ingest/settings.ts";
import { UPKEEP_NAME } from "../../lib/upkeep/settings.ts";
import { endpoints } from "../endpoints.ts";
import { functionName } from "../function-name.ts";
import type { Stage } from "../stage.ts";
import { missedCallsName } from "../upkeep.ts";
import { queueKeyStatementsOf } from "./own-key.ts";
import { wholeTableArn } from "./table-statements.ts";

/** The names of the stage's functions, without their prefix. */
export const functionNamesOf = ({ ingest }: Stage): readonly string[] => [
  ...endpoints.map(({ contract }) => contract.name),
  UPKEEP_NAME,
  ...(ingest === undefined ? [] : [INGEST_NAME]),
];

const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources] });

/**
 * The permissions for the commands of docs/runbook.md that need no deployment: search the logs, set functions back to an
 * earlier version, and let Lambda or the gateway take fewer requests. None of them reads or changes a record.
 */
export function incidentStatementsOf(scope: Construct, stage: Stage): readonly PolicyStatement[] {
  return [
    allow(accountActionsOf(stage), ["*"]),
    allow(["logs:FilterLogEvents", "logs:StartQuery"], logGroupsOf(scope, stage)),
    ...functionStatementsOf(scope, stage),
    ...gatewayStatementsOf(scope, stage),
    ...scheduleStatementsOf(scope, stage),
    allow(
      ["dynamodb:DescribeContributorInsights", "dynamodb:UpdateContributorInsights"],
      (Object.keys(tables) as TableName[]).map((table) => wholeTableArn(scope, stage, table)),
    ),
    allow(["cloudwatch:GetInsightRuleReport"], [hotKeyRulesOf(scope, stage)]),
    ...certificateStatementsOf(stage),
    ...shiftStatementsOf(scope, stage),
  ];
}

/** Actions that know no resources, or list those of the whole account. All of them only read. */
const accountActionsOf = ({ ingest, release }: Stage): readonly string[] => [
  "cloudwatch:GetMetricStatistics",
  "logs:DescribeQueryDefinitions",
  "logs:GetQueryResults",
  "scheduler:ListSchedules",
  ...(ingest === undefined ? [] : ["lambda:ListEventSourceMappings"]),
  ...(release.shift === undefined ? [] : ["codedeploy:ListDeployments"]),
];

/** CloudFormation ends the groups' names, and they change when the API's stack is made anew. */
const logGroupsOf = (scope: Construct, { name }: Stage): readonly string[] =>
  [`countinghouse-${name}-api-*`, `/aws/vendedlogs/countinghouse/${name}/access-*`].map((resourceName) =>
    Stack.of(scope).formatArn({
      service: "logs",
      resource: "log-group",
      resourceName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );

function functionStatementsOf(scope: Construct, stage: Stage): readonly PolicyStatement[] {
  const { name: stageName } = stage;
  const arnOf = (name: string) =>
    Stack.of(scope).formatArn({
      service: "lambda",
      resource: "function",
      resourceName: functionName(stageName, name),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  return [
    allow(
      [
        "lambda:DeleteFunctionConcurrency",
        "lambda:GetAlias",
        "lambda:ListVersionsByFunction",
        "lambda:PutFunctionConcurrency",
        "lambda:UpdateAlias",
      ],
      functionNamesOf(stage).map(arnOf),
    ),
    allow(["lambda:InvokeFunction"], [`${arnOf(UPKEEP_NAME)}:live`]),
    ...(stage.ingest === undefined ? [] : [pauseOfMessages(scope, arnOf(INGEST_NAME))]),
  ];
}

/** To stop and continue the hand-out of messages. CloudFormation makes the mapping's id, so its function is named. */
function pauseOfMessages(scope: Construct, functionArn: string): PolicyStatement {
  const mappings = Stack.of(scope).formatArn({
    service: "lambda",
    resource: "event-source-mapping",
    resourceName: "*",
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const statement = allow(["lambda:UpdateEventSourceMapping"], [mappings]);
  statement.addCondition("ArnEquals", { "lambda:FunctionArn": [functionArn, `${functionArn}:live`] });
  return statement;
}

/** The API's id is not known here, so the stage of the gateway is told by its tags. */
function gatewayStatementsOf(scope: Construct, { name }: Stage): readonly PolicyStatement[] {
  const arnOf = (path: string) =>
    Stack.of(scope).formatArn({ service: "apigateway", account: "", resource: "", resourceName: path });
  const statement = allow(["apigateway:GET", "apigateway:PATCH"], [arnOf("apis/*/stages/*")]);
  statement.addCondition("StringEquals", {
    "aws:ResourceTag/project": "countinghouse",
    "aws:ResourceTag/stage": name,
  });
  return [allow(["apigateway:GET"], [arnOf("apis")]), statement];
}

/** DynamoDB's rules that find hot keys. It puts the kind before a table's name, and the index and an instant after it. */
const hotKeyRulesOf = (scope: Construct, { name }: Stage): string =>
  Stack.of(scope).formatArn({
    service: "cloudwatch",
    resource: "insight-rule",
    resourceName: `DynamoDBContributorInsights-*-countinghouse-${name}-*`,
  });

/** To read why a schedule could not call its function. */
const scheduleStatementsOf = (scope: Construct, stage: Stage): readonly PolicyStatement[] => [
  allow(
    ["sqs:GetQueueUrl", "sqs:ReceiveMessage"],
    [Stack.of(scope).formatArn({ service: "sqs", resource: missedCallsName(stage.name) })],
  ),
  ...queueKeyStatementsOf(scope, stage),
];

/** The permission to see the certificates of the stage's domains. */
export function certificateStatementsOf({ domains }: Stage): readonly PolicyStatement[] {
  const { open, mutualTls } = domains ?? {};
  const arns = [
    open?.certificateArn,
    mutualTls?.certificateArn,
    mutualTls?.ownershipVerificationCertificateArn,
  ];
  const given = arns.filter((arn) => arn !== undefined);
  return given.length === 0 ? [] : [allow(["acm:DescribeCertificate"], given)];
}

/** To stop CodeDeploy while it moves traffic. CloudFormation ends the names of its groups. */
function shiftStatementsOf(scope: Construct, { name, release }: Stage): readonly PolicyStatement[] {
  if (release.shift === undefined) return [];
  const groups = Stack.of(scope).formatArn({
    service: "codedeploy",
    resource: "deploymentgroup",
    resourceName: `countinghouse-${name}-api-*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return [allow(["codedeploy:StopDeployment"], [groups])];
}
