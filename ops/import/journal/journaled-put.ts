import type { Item } from "../../../lib/dynamo/item.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import { putIfStill, type putVersioned, settleVersion } from "../../../lib/dynamo/versioned-put.ts";
import { Gathered } from "./gathered.ts";
import type { ImportJournal } from "./import-journal.ts";
import { itemDigest } from "./journal-entry.ts";
import { ITEMS_READ_MAX, keyOf, readItems } from "./read-items.ts";

/**
 * Stands in for `putVersioned` during an import: it looks first, announces what it will replace in the import's
 * journal, and replaces exactly that. A version that changes nothing costs a read and no write.
 *
 * @param keyNames the names of a record's key attributes.
 */
export function journaledPut(
  table: Table,
  keyNames: readonly string[],
  journal: ImportJournal,
): typeof putVersioned {
  const stored = new Gathered((keys: readonly Item[]) => readItems(table, keys), ITEMS_READ_MAX);
  return async (_table, record, correction) => {
    const key = keyOf(record.item, keyNames);
    const seen = (await stored.ask(key)) ?? {};
    return await settleVersion(seen, record, {
      correction,
      put: (item, before) => announcedPut(table, { key, item, before }, journal),
    });
  };
}

interface Replacement {
  readonly key: Item;
  readonly item: Item;
  readonly before: Item;
}

async function announcedPut(table: Table, { key, item, before }: Replacement, journal: ImportJournal) {
  await journal.announce(key, item, Object.keys(before).length === 0 ? undefined : before);
  const attempt = await putIfStill(table, item, before);
  if (attempt.isDone) return attempt;
  // The put took effect, and only its answer was lost.
  if (itemDigest(attempt.stored) === itemDigest(item)) return { isDone: true, before } as const;
  journal.disown(key, item);
  return attempt;
}
