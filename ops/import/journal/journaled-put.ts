import { writeIfStill } from "../../../lib/dynamo/conditional-write.ts";
import { type Item, keyOf } from "../../../lib/dynamo/item.ts";
import type { VersionedRecord } from "../../../lib/dynamo/resolve-version.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import { type putVersioned, settleVersion } from "../../../lib/dynamo/versioned-put.ts";
import { gathered } from "./gathered.ts";
import type { ImportJournal } from "./import-journal.ts";
import { itemDigest } from "./journal-entry.ts";
import { ITEMS_READ_MAX, readItems } from "./read-items.ts";

/**
 * Stands in for `putVersioned` during an import: it looks first, announces what it will replace in the import's
 * journal, and replaces exactly that. A version that changes nothing costs a read and no write.
 */
export function journaledPut(table: Table, journal: ImportJournal): typeof putVersioned {
  const storedAt = gathered((keys: readonly Item[]) => readItems(table, keys), ITEMS_READ_MAX);
  return async (_table, record, correction) => {
    const seen = (await storedAt(keyOf(record.item, record.key))) ?? {};
    return await settleVersion(seen, record, {
      correction,
      put: (item, before) => announcedPut(table, { ...record, item }, before, journal),
    });
  };
}

async function announcedPut(table: Table, record: VersionedRecord, before: Item, journal: ImportJournal) {
  const { item } = record;
  const key = keyOf(item, record.key);
  await journal.announce(key, item, Object.keys(before).length === 0 ? undefined : before);
  const attempt = await writeIfStill(table, record, before);
  if (attempt.isDone) return attempt;
  // The put took effect, and only its answer was lost.
  if (itemDigest(attempt.stored) === itemDigest(item)) return { isDone: true, before } as const;
  journal.disown(key, item);
  return attempt;
}
