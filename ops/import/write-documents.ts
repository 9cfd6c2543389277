import type { Intake } from "../../lib/intake.ts";
import { type DocumentKindName, documentKinds } from "../../local/records/document-kinds.ts";
import { writeLines } from "../../local/records/write-lines.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { dropUnknown } from "./drop-unknown.ts";
import { ImportJournal } from "./journal/import-journal.ts";
import { journaledPut } from "./journal/journaled-put.ts";
import { NameCounts } from "./name-counts.ts";
import { rehearsedPut } from "./rehearsed-put.ts";
import type { FileWriter, ImportOrder } from "./run-import.ts";

/** An import of documents, one a line. */
export interface DocumentOrder extends ImportOrder {
  readonly kind: DocumentKindName;
  readonly intake: Intake;
  /** Whether members that the contract does not have are left out. */
  readonly dropsUnknown: boolean;
  /** The own-account word in place of the store's. */
  readonly ownAccount?: string | undefined;
}

/** Writes documents, and announces in the import's journal what is stored; a rehearsal only judges them. */
export function documentWriter(store: OperatorStore, order: DocumentOrder): FileWriter {
  const { kind, owner, intake, dropsUnknown, isRehearsal } = order;
  const { table, shape, writer } = documentKinds[kind];
  const { ownAccount = store.brand.ownAccount } = order;
  const journal = isRehearsal ? undefined : new ImportJournal(store, kind, owner);
  const put = journal === undefined ? rehearsedPut() : journaledPut(store.table(table), journal);
  const write = writer({ table: store.table, brand: { ...store.brand, ownAccount }, owner, intake, put });
  const dropped = new NameCounts();
  const known = (text: string) => dropUnknown(shape, text, (member) => dropped.add(member));
  return {
    journal,
    write: (lines, run) => writeLines(lines, run, (text) => write(dropsUnknown ? known(text) : text)),
    remarks: () => dropped.describe(LEFT_OUT),
  };
}

/** The beginning of the closing remark on members that were left out. */
export const LEFT_OUT = "Members left out because the contract does not have them";
