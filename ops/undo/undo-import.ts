import { systemClock } from "../../lib/clock.ts";
import { hasItems } from "../../lib/dynamo/has-items.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { bucketOf } from "../../lib/trades/segment.ts";
import { partitionOf } from "../../lib/trades/segment-key.ts";
import { documentKinds } from "../../local/records/document-kinds.ts";
import { inThousands } from "../../local/records/tally.ts";
import { type ImportHead, ImportRegister } from "../import/journal/import-register.ts";
import type { JournalEntry } from "../import/journal/journal-entry.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { type PartLeft, RecordUndo } from "./undo-records.ts";
import { undoSegments } from "./undo-segments.ts";
import type { UndoMode } from "./undo-tally.ts";

/**
 * Takes back what an import stored and nobody has changed since: what was new goes, what was replaced comes back. Each
 * item is changed only if it is still as the import stored it. What was taken back leaves the journal at once, so that
 * a repetition does not take the same again from whoever stored it since. Stopped or failed, it may be repeated and
 * goes on; what was left may be taken back later, once its obstacle is gone.
 *
 * @returns whether the market that the import listed is off the list again.
 * @throws {Failure} when the store does not answer. @throws {JournalErased} when the import was erased meanwhile.
 */
export async function undoImport(store: OperatorStore, head: ImportHead, mode: UndoMode): Promise<boolean> {
  const { stop, isRehearsal, tally } = mode;
  const register = new ImportRegister(store.table("Imports"));
  const records =
    head.kind === "trades" ? undefined : new RecordUndo(store.table(documentKinds[head.kind].table), mode);
  const takeBack = async (entries: readonly JournalEntry[]): Promise<PartLeft> =>
    records === undefined
      ? { left: await undoSegments(store.table("Trades"), head, entries, mode) }
      : await records.takeBack(entries);
  const keep = async (some: readonly JournalEntry[], all: readonly JournalEntry[], at: number) => {
    if (some.length < all.length) await register.replacePart(head, at, some);
  };
  for await (const { number, entries } of register.parts(head.id)) {
    const { left, fault } = await takeBack(entries);
    if (!isRehearsal) await keep(left, entries, number);
    if (fault !== undefined) throw fault;
    if (stop.aborted) break;
    showProgress(`${inThousands(tally.takenBack)} taken back …`);
  }
  records?.end();
  if (stop.aborted) return false;
  const isUnlisted =
    head.listsMarket === true && head.owner !== undefined && (await undoListing(store, head.owner, mode));
  if (isRehearsal) return isUnlisted;
  // Forwards, because what came to nothing is announced before the journal says so.
  if (records !== undefined)
    for await (const { number, entries } of register.parts(head.id, { isForward: true })) {
      const needed = entries.filter((entry) => records.isLeft(entry));
      await keep(needed, entries, number);
    }
  await register.note(head.id, { undoneAt: systemClock(), ...(isUnlisted && { listsMarket: false }) });
  return isUnlisted;
}

const QUERIES_AT_ONCE = 32;

/** Trades are at most a day ahead of the clock that imported them. */
const AHEAD_MS_MAX = 86_400_000;

/** Whether any trade of a market is stored, whenever it was made. One query for each bucket since 1970. */
async function hasTrades(trades: Table, symbol: string, now: number): Promise<boolean> {
  const last = bucketOf(now + AHEAD_MS_MAX);
  for (let bucket = last; bucket >= 0; bucket -= QUERIES_AT_ONCE) {
    const together = Array.from({ length: Math.min(QUERIES_AT_ONCE, bucket + 1) }, (_, at) => bucket - at);
    const found = await Promise.all(
      together.map((one) => hasItems(trades, { name: "pk", value: partitionOf(symbol, one) })),
    );
    if (found.includes(true)) return true;
  }
  return false;
}

/** Takes a market off the list that an import put there, unless it has trades by now. @returns whether it did. */
async function undoListing(
  { table }: OperatorStore,
  symbol: string,
  { isRehearsal, tally }: UndoMode,
): Promise<boolean> {
  // In a rehearsal, the import's own trades are still there.
  if (isRehearsal) return tally.left.length === 0;
  if (await hasTrades(table("Trades"), symbol, systemClock())) {
    tally.leave(`market ${symbol}`, "has trades of others");
    return false;
  }
  await new MarketRegister(table("Settings")).remove(symbol);
  return true;
}
