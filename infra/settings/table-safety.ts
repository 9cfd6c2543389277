import { type TableName, tables } from "../../lib/dynamo/tables.ts";

/** The tables without backups, each with the reason that an auditor is given. */
export const withoutBackups: Readonly<Partial<Record<TableName, string>>> = {
  RateLimits: "An empty table limits as well, and the days of last uses come back with the next use.",
  Imports:
    "The journals of imports hold earlier versions of records, which must not outlive them in a backup. The table is " +
    "protected from deletion.",
};

/** The tables that have backups, and so can be restored. */
export const restorableTables: readonly TableName[] = (Object.keys(tables) as TableName[]).filter(
  (table) => withoutBackups[table] === undefined,
);

/** Whether a table is protected from deletion and outlives its stack, unless the stage is disposable. */
export const isKept = (table: TableName): boolean => table !== "RateLimits";
