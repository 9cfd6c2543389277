import { UPKEEP_NAME, type UpkeepJob } from "../lib/upkeep/settings.ts";
import type { TableGrant } from "./constructs/table-statements.ts";

/** The function that schedules call, and everything that it may do with tables. */
export const upkeep = {
  name: UPKEEP_NAME,
  entry: "functions/report-expiry.ts",
  // Nobody waits for its cold start: the SDK as it is published.
  replaced: [],
  tables: [
    // The one function that scans: it reads every credential for its end. The table has no record of a tenant.
    { table: "Credentials", actions: ["Scan"] },
    { table: "Settings", actions: ["GetItem"], leadingKeys: ["switch#*"] },
    { table: "Settings", actions: ["PutItem"], leadingKeys: ["key-set#*"] },
  ] satisfies readonly TableGrant[],
} as const;

/**
 * When each job is due, in UTC. A kept key set that is ten minutes old sends functions to the issuer; with four minutes, one
 * run may fail. The day's job is done before people in Europe come to work. A call that fails is repeated until the next is due.
 */
export const upkeepSchedules = {
  watch: { expression: "rate(4 minutes)", everyMinutes: 4 },
  expiry: { expression: "cron(0 5 * * ? *)", everyMinutes: 24 * 60 },
} as const satisfies Record<UpkeepJob, object>;

/** The group of a stage's schedules. */
export const scheduleGroupName = (stageName: string): string => `countinghouse-${stageName}`;

/** The queue of the calls that a schedule could not make. */
export const missedCallsName = (stageName: string): string => `countinghouse-${stageName}-missed-calls`;
