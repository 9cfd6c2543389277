import * as z from "zod/mini";
import { physicalTableName, type TableName, tables } from "../../lib/dynamo/tables.ts";
import { restorableTables } from "./table-safety.ts";

const allTables = Object.keys(tables) as TableName[];

const given = z.optional(z.string());

/** Tables that stand in for the stage's own: one that was restored from a backup has another name. */
export const tableNamesSchema = z.strictObject(
  Object.fromEntries(restorableTables.map((table) => [table, given])) as Record<TableName, typeof given>,
);

type GivenNames = z.infer<typeof tableNamesSchema>;

/** The name of every table that a stage uses. */
export type TableNames = Readonly<Record<TableName, string>>;

/** The names of a stage's tables: those that are given, and for the others the stage's own. */
export const completeNames = (stage: string, named: GivenNames): TableNames =>
  Object.fromEntries(
    allTables.map((table) => [table, named[table] ?? physicalTableName(stage, table)]),
  ) as TableNames;

/** The name of one of a table's restored copies, which are counted from 1; with `*`, the pattern of all their names. */
export const restoredName = (stage: string, table: TableName, count: number | "*"): string =>
  `${physicalTableName(stage, table)}-r${count}`;

/** The number of the restored copy that a name is of; 0 for the stage's own table, undefined for any other name. */
export function copyNumberOf(stage: string, table: TableName, name: string): number | undefined {
  const own = physicalTableName(stage, table);
  if (name === own) return 0;
  const [, digits] = name.startsWith(own) ? (/^-r([1-9]\d{0,3})$/.exec(name.slice(own.length)) ?? []) : [];
  return digits === undefined ? undefined : Number(digits);
}

interface Named {
  readonly name: string;
  readonly account?: string | undefined;
  readonly region?: string | undefined;
  readonly tables: GivenNames;
}

/**
 * Refuses every name but those of the table's own restored copies: under a mistyped one, a deployment would make a new
 * and empty table and serve from it, and permissions go by these names. A copy can be looked up only in a known place.
 */
export const namesAreOfCopies: z.core.CheckFn<Named> = ({ value, issues }) => {
  const isPlaced = value.account !== undefined && value.region !== undefined;
  for (const table of restorableTables) {
    const name = value.tables[table];
    const count = name === undefined ? 0 : copyNumberOf(value.name, table, name);
    if (count === 0 || (count !== undefined && isPlaced)) continue;
    const message =
      count === undefined
        ? `must be the name of a restored copy of this table, such as ${restoredName(value.name, table, 1)}, and not ${JSON.stringify(name)}`
        : "needs `account` and `region`, where the copy is looked for before anything is deployed";
    issues.push({ code: "custom", path: ["tables", table], message, input: value, continue: true });
  }
};
