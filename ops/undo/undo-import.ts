import type { Clock } from "../../lib/clock.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import type { ImportHead, ImportKind, ImportRegister } from "../import/journal/import-register.ts";
import type { JournalEntry } from "../import/journal/journal-entry.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { undoListing } from "./undo-market.ts";
import { RecordUndo } from "./undo-records.ts";
import { undoSegments } from "./undo-segments.ts";
import type { UndoMode } from "./undo-tally.ts";

/** The table that each kind of record is imported into. */
const tableOfKind: Readonly<Record<ImportKind, TableName>> = {
  transactions: "Transactions",
  "sell-orders": "SellOrders",
  passes: "Passes",
  trades: "Trades",
};

/** Taking one import back. */
export interface UndoJob extends UndoMode {
  readonly store: OperatorStore;
  readonly register: ImportRegister;
  readonly head: ImportHead;
  readonly clock: Clock;
  /** Called after each part of the journal. */
  readonly onProgress: () => void;
}

/** The result of an undo, beside its tally. */
export interface UndoEnd {
  /** Whether Ctrl-C came before the end. */
  readonly isStopped: boolean;
  /** Whether the market that the import listed is off the list again. */
  readonly isUnlisted: boolean;
}

/**
 * Takes back what an import stored and nobody has changed since: what was new goes, what was replaced comes back. Each
 * item is changed only if it is still as the import stored it. Stopped or failed, it may be repeated and goes on.
 *
 * @throws {Failure} when the store does not answer.
 */
export async function undoImport(job: UndoJob): Promise<UndoEnd> {
  const { register, head, stop, isRehearsal, clock } = job;
  const { takeBack, end } = partUndo(job);
  const done: number[] = [];
  for await (const part of register.partsBackwards(head.id)) {
    const left = await takeBack(part.entries);
    if (left === "until the end") done.push(part.number);
    else if (!isRehearsal) await register.replacePart(head, part.number, left);
    if (stop.aborted) break;
    job.onProgress();
  }
  end();
  if (stop.aborted) return { isStopped: true, isUnlisted: false };
  const isUnlisted =
    head.listsMarket === true && head.owner !== undefined
      ? await undoListing(job.store, head.owner, clock(), job)
      : false;
  if (isRehearsal) return { isStopped: false, isUnlisted };
  await register.note(head.id, { undoneAt: clock() });
  // What was left may be taken back later, once its obstacle is gone.
  if (job.tally.left.length === 0) for (const number of done) await register.removePart(head.id, number);
  return { isStopped: false, isUnlisted };
}

/** Takes back one part of a journal. @returns the entries to keep, or that the part must stay until all are done. */
type TakeBack = (entries: readonly JournalEntry[]) => Promise<readonly JournalEntry[] | "until the end">;

function partUndo({ store, head, ...mode }: UndoJob): {
  readonly takeBack: TakeBack;
  readonly end: () => void;
} {
  const table = store.table(tableOfKind[head.kind]);
  const isWhole = head.outcome !== undefined;
  if (head.kind === "trades")
    return {
      takeBack: (entries) => undoSegments(table, { importId: head.id, isWhole }, entries, mode),
      end: () => {},
    };
  const records = new RecordUndo(table, mode);
  return {
    takeBack: async (entries) => {
      await records.takeBack(entries);
      // A later part may say that what an earlier one announces came to nothing.
      return "until the end";
    },
    end: () => records.end(),
  };
}
