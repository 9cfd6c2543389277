import type { Clock } from "../../lib/clock.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import type { ImportHead, ImportKind, ImportRegister } from "../import/journal/import-register.ts";
import type { JournalEntry } from "../import/journal/journal-entry.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { undoListing } from "./undo-market.ts";
import { type PartLeft, RecordUndo } from "./undo-records.ts";
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
 * item is changed only if it is still as the import stored it. What was taken back leaves the journal at once, so that
 * a repetition does not take the same again from whoever stored it since. Stopped or failed, it may be repeated and
 * goes on; what was left may be taken back later, once its obstacle is gone.
 *
 * @throws {Failure} when the store does not answer. @throws {JournalErased} when the import was erased meanwhile.
 */
export async function undoImport(job: UndoJob): Promise<UndoEnd> {
  const { register, head, stop, isRehearsal, clock } = job;
  const { takeBack, end, isNeeded } = partUndo(job);
  const keep = async (some: readonly JournalEntry[], all: readonly JournalEntry[], at: number) => {
    if (some.length < all.length) await register.replacePart(head, at, some);
  };
  for await (const { number, entries } of register.partsBackwards(head.id)) {
    const { left, fault } = await takeBack(entries);
    if (!isRehearsal) await keep(left, entries, number);
    if (fault !== undefined) throw fault;
    if (stop.aborted) break;
    job.onProgress();
  }
  end();
  if (stop.aborted) return { isStopped: true, isUnlisted: false };
  const isUnlisted = await unlist(job);
  if (isRehearsal) return { isStopped: false, isUnlisted };
  // Forwards, because what came to nothing is announced before the journal says so.
  for await (const { number, entries } of register.partsForwards(head.id))
    await keep(entries.filter(isNeeded), entries, number);
  await register.note(head.id, { undoneAt: clock(), ...(isUnlisted && { listsMarket: false }) });
  return { isStopped: false, isUnlisted };
}

async function unlist(job: UndoJob): Promise<boolean> {
  const { listsMarket, owner } = job.head;
  return (
    listsMarket === true && owner !== undefined && (await undoListing(job.store, owner, job.clock(), job))
  );
}

/** Taking back a journal, part by part. */
interface PartUndo {
  readonly takeBack: (entries: readonly JournalEntry[]) => Promise<PartLeft>;
  /** Called after the last part. */
  readonly end: () => void;
  /** Whether an entry is needed for what was left, once all parts were taken back. */
  readonly isNeeded: (entry: JournalEntry) => boolean;
}

function partUndo({ store, head, ...mode }: UndoJob): PartUndo {
  const table = store.table(tableOfKind[head.kind]);
  const added = { importId: head.id, isWhole: head.outcome !== undefined };
  if (head.kind === "trades")
    return {
      takeBack: async (entries) => ({ left: await undoSegments(table, added, entries, mode) }),
      end: () => {},
      isNeeded: () => true,
    };
  const records = new RecordUndo(table, mode);
  return {
    takeBack: (entries) => records.takeBack(entries),
    end: () => records.end(),
    isNeeded: (entry) => records.isLeft(entry),
  };
}
