import { Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { physicalTableName, type TableName } from "../../lib/dynamo/tables.ts";
import { restoredName } from "../settings/table-names.ts";
import { restorableTables } from "../settings/table-safety.ts";
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

/**
 * The ARNs of a table of the stage: its own one, and every restored copy of it, whichever is in use. A role has no
 * versions, and changes before the function does: it must allow the table that the version before reads, and the one
 * that a version after a way back will read.
 */
export const tableArnsOf = (
  scope: Construct,
  { name }: Pick<Stage, "name">,
  table: TableName,
  suffix = "",
): readonly string[] =>
  [
    physicalTableName(name, table),
    ...(restorableTables.includes(table) ? [restoredName(name, table, "*")] : []),
  ].map((resourceName) =>
    Stack.of(scope).formatArn({
      service: "dynamodb",
      resource: "table",
      resourceName: `${resourceName}${suffix}`,
    }),
  );

/** One ARN for everything of a table: itself, its restored copies, and the indexes of all. For what shows no item. */
export const wholeTableArn = (scope: Construct, { name }: Pick<Stage, "name">, table: TableName): string =>
  Stack.of(scope).formatArn({
    service: "dynamodb",
    resource: "table",
    resourceName: `${physicalTableName(name, table)}*`,
  });

/** The statements that allow what a grant says, on a table of the stage and its restored copies. */
export function tableStatementsOf(
  scope: Construct,
  stage: Pick<Stage, "name">,
  { table, actions, queriedIndexes = [], leadingKeys }: TableGrant,
): readonly PolicyStatement[] {
  const arns = (suffix?: string) => tableArnsOf(scope, stage, table, suffix);
  const allow = (names: readonly string[], resources: readonly string[]) =>
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: names.map((name) => `dynamodb:${name}`),
      resources: [...resources],
      ...(leadingKeys !== undefined && {
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...leadingKeys] } },
      }),
    });
  return [
    ...(actions.length > 0 ? [allow(actions, arns())] : []),
    ...(queriedIndexes.length > 0
      ? [
          allow(
            ["Query"],
            queriedIndexes.flatMap((index) => arns(`/index/${index}`)),
          ),
        ]
      : []),
  ];
}
