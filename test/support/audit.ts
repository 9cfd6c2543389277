import { scan } from "../../lib/dynamo/scan.ts";
import { lineOf } from "../../ops/audit/audit-line.ts";
import { withStore } from "../../ops/store/store.ts";

/** The lines of the audit of a data directory, oldest first, without their times and actors. */
export const auditOf = (data: string) =>
  withStore({ data }, async ({ table }) => {
    const lines = (await Array.fromAsync(scan(table("Audit")))).map(lineOf);
    return lines
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ command, target, reason }) => ({ command, target, ...(reason !== undefined && { reason }) }));
  });
