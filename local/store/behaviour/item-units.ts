import { isDeepStrictEqual } from "node:util";
import type { IndexShape } from "../table-shape.ts";
import { itemBytes } from "../value/attribute-value.ts";
import { keyOf, type WireItem } from "./touched-items.ts";

const WRITE_UNIT_BYTES = 1_024;

/** The units of a write, by the largest image of the item, before or after. A write without an image takes one unit. */
export const writeUnits = (...images: readonly (WireItem | undefined)[]): number =>
  Math.max(1, ...images.map((image) => Math.ceil(itemBytes(image ?? {}) / WRITE_UNIT_BYTES)));

/** A write of an entry of an index. */
export interface EntryWrite {
  readonly entry: WireItem;
  readonly units: number;
}

/**
 * The writes that an index needs to follow an item: none for an entry that stays the same, one for an entry that is
 * added, removed or changed, and two for an entry whose key changes.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
 */
export function entryWrites(
  index: IndexShape,
  before: WireItem | undefined,
  after: WireItem | undefined,
): readonly EntryWrite[] {
  const [old, fresh] = [entryOf(index, before), entryOf(index, after)];
  if (old !== undefined && fresh !== undefined && isDeepStrictEqual(keyOf(index, old), keyOf(index, fresh)))
    return isDeepStrictEqual(old, fresh) ? [] : [{ entry: fresh, units: writeUnits(old, fresh) }];
  return [old, fresh].flatMap((entry) => (entry === undefined ? [] : { entry, units: writeUnits(entry) }));
}

/** The attributes of an item that an index holds; undefined when the item lacks the index's key. */
export function entryOf(index: IndexShape, item: WireItem | undefined): WireItem | undefined {
  const { projects } = index;
  if (item === undefined || keyOf(index, item) === undefined) return undefined;
  if (projects === "all") return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => projects.has(name)));
}
