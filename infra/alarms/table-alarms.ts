import { type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import type { Stage } from "../stage.ts";
import { type AlarmDefinition, minutes, sum } from "./alarm.ts";
import { tableMetric } from "./aws-metrics.ts";

const throttleMetrics = { reads: "ReadThrottleEvents", writes: "WriteThrottleEvents" } as const;
const kinds = ["reads", "writes"] as const;

/** Alarms for each table that the stage uses, and for each of its indexes, which have capacities of their own. */
export const tableAlarms = (stage: Pick<Stage, "tables">): readonly AlarmDefinition[] =>
  (Object.keys(tables) as TableName[]).flatMap((table) => {
    const { indexes }: TableSchema = tables[table];
    const parts = [undefined, ...indexes.map(({ name }) => name)];
    return parts.flatMap((index) =>
      kinds.map((kind) => throttledTable({ kind, table, index, tableName: stage.tables[table] })),
    );
  });

interface Part {
  readonly kind: (typeof kinds)[number];
  readonly table: TableName;
  readonly index: string | undefined;
  /** The table's name in the account. */
  readonly tableName: string;
}

/**
 * Reads and writes have an alarm each, at the price of their sum: DynamoDB reports neither of the two metrics before
 * the first event, and a sum with a metric that was never there has no value.
 */
const throttledTable = ({ kind, table, index, tableName }: Part): AlarmDefinition => ({
  name: [`throttled-${kind}`, table, ...(index === undefined ? [] : [index])].join("-"),
  section: "throttled-table",
  meaning: `DynamoDB throttles ${kind} of ${index === undefined ? "" : `the index ${index} of `}the table ${tableName}.`,
  measures: { events: sum(tableMetric(throttleMetrics[kind], tableName, index)) },
  bound: { from: 5 },
  span: minutes(2, 5),
  pages: false,
});
