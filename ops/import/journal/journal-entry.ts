import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Item } from "../../../lib/dynamo/item.ts";

/**
 * A version of a record that an import is about to store, or a segment of trades.
 *
 * Entries stand in the journal before what they announce is stored, so an import that is killed has stored nothing that
 * its journal does not name; it may name what was not stored any more.
 */
export interface JournalEntry {
  /** The key of the item. */
  readonly key: Item;
  /** The digest of the item that is to be stored ({@link itemDigest}); absent for a segment, whose key has one. */
  readonly digest?: string;
  /** The item in whose place it comes; absent where there is none. */
  readonly before?: Item;
  /** Whether the announced version was not stored after all, because another writer was faster. */
  readonly isVoid?: true;
}

const DIGEST_LENGTH = 22;

/** Identifies an item by everything in it. */
export const itemDigest = (item: Item): string =>
  createHash("sha256").update(canonicalText(item)).digest("base64url").slice(0, DIGEST_LENGTH);

const canonicalText = (item: Item): string =>
  JSON.stringify(
    Object.entries(item)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [name, sortedSet(value)]),
  );

/** DynamoDB returns the texts of a set in an order of its own. */
const sortedSet = (value: Item[string]): Item[string] =>
  value.SS === undefined ? value : { SS: value.SS.toSorted() };

/** The most bytes of entries in one item: DynamoDB takes 400 KB, and text that gzip cannot shrink grows a little. */
const PACKED_BYTES_MAX = 350_000;

/** Packs entries, in their order, into as few texts as fit an item each. */
export function packEntries(entries: readonly JournalEntry[]): Buffer[] {
  const lines = entries.map((entry) => JSON.stringify(writable(entry)));
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > PACKED_BYTES_MAX) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(line);
    bytes += size;
  }
  return groups.map((group) => gzipSync(group.join("\n")));
}

/** The entries of {@link packEntries}. */
export const unpackEntries = (packed: Uint8Array): JournalEntry[] =>
  gunzipSync(packed)
    .toString()
    .split("\n")
    .map((line) => JSON.parse(line, readBytes) as JournalEntry);

/** Binary values as Base64: the key of a segment has one, and no item that is replaced does. */
const writable = (entry: JournalEntry): object => ({
  ...entry,
  key: Object.fromEntries(
    Object.entries(entry.key).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") },
    ]),
  ),
});

const readBytes = (name: string, value: unknown): unknown =>
  name === "B" ? Buffer.from(value as string, "base64") : value;
