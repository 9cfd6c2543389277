import * as z from "zod/mini";
import { physicalTableName, type TableName, tables } from "../../lib/dynamo/tables.ts";
import { matching } from "../../lib/setting-schemas.ts";

const allTables = Object.keys(tables) as TableName[];

/** The form that DynamoDB gives the names of its tables. */
export const tableNameSchema = matching(
  /^[A-Za-z0-9_.-]{3,255}$/,
  "must be the name of a table: 3-255 letters, digits and _ . -",
);
const nameSchema = z.optional(tableNameSchema);

/** Tables that stand in for the stage's own: one that was restored from a backup has another name. */
export const tableNamesSchema = z.strictObject(
  Object.fromEntries(allTables.map((table) => [table, nameSchema])) as Record<TableName, typeof nameSchema>,
);

type GivenNames = z.infer<typeof tableNamesSchema>;

/** The name of every table that a stage uses. */
export type TableNames = Readonly<Record<TableName, string>>;

/** The names of a stage's tables: those that are given, and for the others the stage's own. */
export const completeNames = (stage: string, given: GivenNames): TableNames =>
  Object.fromEntries(
    allTables.map((table) => [table, given[table] ?? physicalTableName(stage, table)]),
  ) as TableNames;

/** Refuses a name that another table of the stage has or had: each would serve and overwrite the other's records. */
export const namesDiffer: z.core.CheckFn<{ readonly name: string; readonly tables: GivenNames }> = ({
  value,
  issues,
}) => {
  for (const table of allTables) {
    const others = allTables.filter((other) => other !== table);
    const taken = others.flatMap((other) => [physicalTableName(value.name, other), value.tables[other]]);
    const given = value.tables[table];
    if (given === undefined || !taken.includes(given)) continue;
    const message = "must differ from the names of the stage's other tables";
    issues.push({ code: "custom", path: ["tables", table], message, input: value, continue: true });
  }
};
