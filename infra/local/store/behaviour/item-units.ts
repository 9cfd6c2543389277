import { isDeepStrictEqual } from "node:util";
import type { IndexShape } from "../table-shape.ts";
import { keyOf, type WireItem, type WireValue } from "./touched-items.ts";

const WRITE_UNIT_BYTES = 1_024;
/** What a list or a map takes by itself, and what each of its elements takes beside its content. */
const DOCUMENT_BYTES = 3;
const ELEMENT_BYTES = 1;

/**
 * How big an item is for DynamoDB, in bytes: its attributes' names and values.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export const itemBytes = (item: WireItem): number =>
  sum(Object.entries(item), ([name, value]) => Buffer.byteLength(name) + valueBytes(value));

function valueBytes(value: WireValue): number {
  const { S, N, B, L, M } = value;
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return numberBytes(N);
  if (B !== undefined) return Buffer.byteLength(B, "base64");
  if (L !== undefined)
    return DOCUMENT_BYTES + sum(L as WireValue[], (element) => ELEMENT_BYTES + valueBytes(element));
  if (M !== undefined)
    return DOCUMENT_BYTES + ELEMENT_BYTES * Object.keys(M as object).length + itemBytes(M as WireItem);
  return Math.max(1, sum(elementsOf(value), valueBytes));
}

/** The elements of a set; none of a value that is true, false or null. */
const elementsOf = (value: WireValue): readonly WireValue[] =>
  (["S", "N", "B"] as const).flatMap((type) =>
    ((value[`${type}S`] ?? []) as string[]).map((element) => ({ [type]: element })),
  );

/** A byte for every two significant digits, and one more. */
function numberBytes(text: string): number {
  const digits = text
    .replace(/e.*$/i, "")
    .replace(/[^\d]/g, "")
    .replace(/^0+|0+$/g, "");
  return Math.ceil(digits.length / 2) + 1;
}

const sum = <Each>(each: readonly Each[], amount: (one: Each) => number): number =>
  each.reduce((total, one) => total + amount(one), 0);

/** The units of a write: of the larger of what was stored and what is. A write that finds and leaves nothing is one unit. */
export const writeUnits = (...images: readonly (WireItem | undefined)[]): number =>
  Math.max(1, ...images.map((image) => Math.ceil(itemBytes(image ?? {}) / WRITE_UNIT_BYTES)));

/** A write of an index's entry. */
export interface EntryWrite {
  readonly entry: WireItem;
  readonly units: number;
}

/**
 * The writes that an index needs to follow an item: none when its entry stays as it is, one for an entry that comes, goes
 * or changes, and two for one whose key changes.
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

/** What an index holds of an item; undefined when the item lacks its key. */
export function entryOf(index: IndexShape, item: WireItem | undefined): WireItem | undefined {
  const { projects } = index;
  if (item === undefined || keyOf(index, item) === undefined) return undefined;
  if (projects === "all") return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => projects.has(name)));
}
