import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { type Item, textOf } from "../../lib/dynamo/item.ts";
import { orExisting, priced } from "../../lib/dynamo/proven.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { keyText } from "../../lib/trades/read-segment.ts";
import { segmentOfItem } from "../../lib/trades/trade-store.ts";
import type { ImportHead } from "../import/journal/import-register.ts";
import type { JournalEntry } from "../import/journal/journal-entry.ts";
import { ADDED_BY } from "../import/journal/journaled-segments.ts";
import { readItems } from "../import/journal/read-items.ts";
import { allOf } from "./all-of.ts";
import type { LeftReason, UndoMode } from "./undo-tally.ts";

/**
 * Takes back the segments that an import added, as announced in a part of its journal. Repeating it is safe.
 *
 * @returns the entries of those that were left.
 */
export async function undoSegments(
  table: Table,
  { id: importId, outcome }: Pick<ImportHead, "id" | "outcome">,
  entries: readonly JournalEntry[],
  mode: UndoMode,
): Promise<readonly JournalEntry[]> {
  const { tally, isRehearsal } = mode;
  const keys = entries.map(({ key }) => key);
  const items = await retryStore(() => readItems(table, keys, [ADDED_BY]), mode.stop);
  const left: JournalEntry[] = [];
  const leave = (entry: JournalEntry, reason: LeftReason): void => {
    left.push(entry);
    tally.leave(keyText(segmentOfItem(entry.key)), reason);
  };
  const takeBack = async (entry: JournalEntry, item: Item | undefined): Promise<void> => {
    if (item === undefined) {
      // An import that came to its end did add every segment that its journal announces.
      if (outcome !== undefined) leave(entry, "no longer stored as it was added");
    } else if (textOf(item, ADDED_BY) !== importId) leave(entry, "another writer stored it too");
    else if (isRehearsal || (await removeAdded(table, entry.key, importId)))
      tally.takeBack(keyText(segmentOfItem(entry.key)), "removed");
    else leave(entry, "another writer stored it too");
  };
  // A part is finished also after Ctrl-C: what was removed in it could later not be told from what others removed.
  await allOf(entries.entries(), ([at, entry]) => retryStore(() => takeBack(entry, items[at]), mode.stop));
  return left;
}

/** Removes a segment if this import added it. @returns whether it is gone. */
async function removeAdded({ client, name }: Table, key: Item, importId: string): Promise<boolean> {
  const command = new DeleteItemCommand({
    TableName: name,
    Key: key,
    ConditionExpression: "#i = :id",
    ExpressionAttributeNames: { "#i": ADDED_BY },
    ExpressionAttributeValues: { ":id": { S: importId } },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    ...priced,
  });
  const { answer, existing } = await orExisting(() => client.send(command));
  // Without an item, an earlier attempt took effect and its answer was lost.
  return answer !== undefined || existing === undefined;
}
