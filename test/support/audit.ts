import { scan } from "../../lib/dynamo/scan.ts";
import { lineOf } from "../../ops/audit/audit-register.ts";
import type { OperatorStore } from "../../ops/store/operator-store.ts";
import type { StoreOptions } from "../../ops/store/store-options.ts";
import { withStore } from "./with-store.ts";

/** The lines of the audit of a data directory or a stage, oldest first, without their times and actors. */
export const auditOf = (data: string, stage: Pick<StoreOptions, "stage"> = {}) =>
  withStore({ data, ...stage }, auditIn);

/** The same of a store that is open. */
export async function auditIn({ table }: Pick<OperatorStore, "table">) {
  const lines = (await Array.fromAsync(scan(table("Audit")))).map(lineOf);
  return lines
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ command, target, reason }) => ({ command, target, ...(reason !== undefined && { reason }) }));
}
