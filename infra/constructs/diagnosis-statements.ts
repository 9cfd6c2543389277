import { ArnFormat, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { type TableName, tables } from "../../lib/dynamo/tables.ts";
import { functionName } from "../function-name.ts";
import type { Stage } from "../stage.ts";
import { certificateStatementsOf, functionNamesOf } from "./incident-statements.ts";
import { wholeTableArn } from "./table-statements.ts";

const allTables = Object.keys(tables) as TableName[];

const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources] });

/**
 * The permissions for what `doctor` and `status` look at beside records, alarms and queues: how tables, functions, stacks,
 * certificates and subscriptions stand. All of them only read, and none of them shows a record.
 */
export const diagnosisStatementsOf = (scope: Construct, stage: Stage): readonly PolicyStatement[] => [
  allow(
    [
      "dynamodb:DescribeContinuousBackups",
      "dynamodb:DescribeTable",
      "dynamodb:DescribeTimeToLive",
      "dynamodb:ListTagsOfResource",
    ],
    allTables.map((table) => wholeTableArn(scope, stage, table)),
  ),
  // The account's settings know no resource.
  allow(["lambda:GetAccountSettings"], ["*"]),
  allow(
    ["lambda:GetAlias"],
    functionNamesOf(stage).map((name) =>
      Stack.of(scope).formatArn({
        service: "lambda",
        resource: "function",
        resourceName: functionName(stage.name, name),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ),
  ),
  // CloudFormation ends the names of stacks and of topics.
  allow(
    ["cloudformation:DescribeStacks"],
    ["data", "domains", "api", "alarms", "operators"].map((part) =>
      Stack.of(scope).formatArn({
        service: "cloudformation",
        resource: "stack",
        resourceName: `countinghouse-${stage.name}-${part}/*`,
      }),
    ),
  ),
  allow(
    ["sns:ListSubscriptionsByTopic"],
    [Stack.of(scope).formatArn({ service: "sns", resource: `countinghouse-${stage.name}-alarms-*` })],
  ),
  ...certificateStatementsOf(stage),
];
