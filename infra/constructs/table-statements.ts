import { Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { TableName } from "../../lib/dynamo/tables.ts";
import type { Stage } from "../stage.ts";

/** What somebody may do with one table: DynamoDB's actions by their names. */
export interface TableGrant {
  readonly table: TableName;
  readonly actions: readonly string[];
  /** Indexes that may be queried. */
  readonly queriedIndexes?: readonly string[];
  /** The items that the actions are allowed on, by patterns of their partition keys; all of them unless given. */
  readonly leadingKeys?: readonly string[];
}

/** The statements that allow what a grant says, on the table that the stage uses. */
export function tableStatementsOf(
  scope: Construct,
  stage: Pick<Stage, "tables">,
  { table, actions, queriedIndexes = [], leadingKeys }: TableGrant,
): readonly PolicyStatement[] {
  const arn = (suffix = "") =>
    Stack.of(scope).formatArn({
      service: "dynamodb",
      resource: "table",
      resourceName: `${stage.tables[table]}${suffix}`,
    });
  const allow = (names: readonly string[], resources: string[]) =>
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: names.map((name) => `dynamodb:${name}`),
      resources,
      ...(leadingKeys !== undefined && {
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...leadingKeys] } },
      }),
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
