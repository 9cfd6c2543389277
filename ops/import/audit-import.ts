import { beginChange, type Change, type EndChange } from "../audit/record-change.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import type { ImportJob } from "./run-import.ts";

/** An import, as the audit tells of it, and whether it only tries out what it would store. */
interface AuditedImport extends Change {
  readonly isRehearsal: boolean;
}

/**
 * The parts of an import that write its two lines of the audit: before its first record is stored, and at its end, with
 * the counts. A dry run writes none.
 */
export function auditImport(
  store: OperatorStore,
  { isRehearsal, ...change }: AuditedImport,
): Required<Pick<ImportJob, "begin" | "end">> {
  let end: EndChange = async () => {};
  return {
    begin: async () => {
      if (!isRehearsal) end = await beginChange(store, change);
    },
    end: (outcome, counts) => end({ outcome, counts }),
  };
}
