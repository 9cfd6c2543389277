import { RecentMap } from "../recent-map.ts";
import { type Item, textOf } from "./item.ts";
import { readItem } from "./read-item.ts";
import { resolveVersion } from "./resolve-version.ts";
import type { putVersioned } from "./versioned-put.ts";

/** Records that are remembered: what a file says of one again is mostly said soon after. */
const RECORDS_MAX = 100_000;

/**
 * Stands in for `putVersioned`: tells what it would do, and stores nothing. What it would have stored of the last 100,000
 * records counts as stored, so that later versions in one file are judged as they will be.
 *
 * @param keyNames the names of the attributes that a record's key has, all of them texts.
 */
export function rehearsedPut(keyNames: readonly string[]): typeof putVersioned {
  const rehearsed = new RecentMap<string, Item>(RECORDS_MAX);
  return async (table, record, correction) => {
    const key = Object.fromEntries(keyNames.map((name) => [name, textOf(record.item, name)]));
    const place = JSON.stringify(key);
    const stored = rehearsed.get(place) ?? (await readItem(table, { key })) ?? {};
    const { outcome, item } = resolveVersion(stored, record, correction);
    if (item !== undefined) rehearsed.set(place, item);
    return outcome;
  };
}
