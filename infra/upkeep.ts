import { UPKEEP_NAME, type UpkeepJob } from "../lib/upkeep/settings.ts";
import type { TableGrant } from "./constructs/table-statements.ts";
import { replacedInClient } from "./endpoints.ts";

/** The function that schedules call, and everything that it may do with tables. */
export const upkeep = {
  name: UPKEEP_NAME,
  entry: "functions/report-expiry.ts",
  replaced: replacedInClient,
  tables: [
    // The one function that scans: it reads every credential for its end. The table has no record of a tenant.
    { table: "Credentials", actions: ["Scan"] },
    { table: "Settings", actions: ["GetItem"], leadingKeys: ["switch#*"] },
    { table: "Settings", actions: ["PutItem"], leadingKeys: ["key-set#*"] },
  ] satisfies readonly TableGrant[],
} as const;

/**
 * When each job is due. A kept key set that is ten minutes old sends functions to the issuer; with four minutes, one run
 * may fail. The day's job is done before people in Europe come to work.
 */
export const upkeepSchedules = {
  watch: { everyMinutes: 4 },
  expiry: { atHour: 5 },
} as const satisfies Record<UpkeepJob, object>;
