import type { CorrectionOrder } from "../corrections.ts";
import { unavailable } from "../errors.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import { type Attempt, writeIfLower, writeIfStill } from "./conditional-write.ts";
import type { Item } from "./item.ts";
import { resolveVersion, type VersionedRecord, written } from "./resolve-version.ts";
import type { Table } from "./table.ts";

/** Another writer of the same record won each lost round. */
const ROUNDS_MAX = 16;

/**
 * Stores a version of a record unless the stored one is as new, by one conditional write. Only when the condition fails
 * is the stored item examined, and the next write succeeds only if that item is still there. With a correction, the
 * version also replaces a newer one.
 *
 * @throws {Failure} when the store does not answer, or when other writers keep getting in between.
 */
export async function putVersioned(
  table: Table,
  record: VersionedRecord,
  correction?: CorrectionOrder,
): Promise<WriteOutcome> {
  const first = await writeIfLower(table, record);
  if (first.isDone) return written(record, first.before);
  return await settleVersion(first.stored, record, {
    correction,
    put: (item, seen) => writeIfStill(table, { ...record, item }, seen),
  });
}

/** How a version takes the place of a stored item. */
export interface VersionSettling {
  readonly correction?: CorrectionOrder | undefined;
  /** Puts an item in place of the one that was seen, if that one is still stored. */
  readonly put: (item: Item, seen: Item) => Promise<Attempt>;
}

/**
 * Resolves a version against the item that is stored, an empty one where there is none, until a put succeeds or none is
 * needed.
 *
 * @throws {Failure} `temporarily_unavailable` when other writers keep getting in between.
 */
export async function settleVersion(
  seen: Item,
  record: VersionedRecord,
  { correction, put }: VersionSettling,
): Promise<WriteOutcome> {
  let stored = seen;
  for (let round = 1; round < ROUNDS_MAX; round++) {
    const { outcome, item } = resolveVersion(stored, record, correction);
    if (item === undefined) return outcome;
    const attempt = await put(item, stored);
    if (attempt.isDone) return outcome;
    stored = attempt.stored;
  }
  throw unavailable("Other writers of the record were faster each time.");
}
