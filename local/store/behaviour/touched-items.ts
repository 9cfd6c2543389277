import { ownMember } from "../../../lib/own-member.ts";
import { listOf } from "../members.ts";
import { type KeyKind, type KeyShape, keyAttributes, type TableShapes } from "../table-shape.ts";
import { numberOf } from "../value/number.ts";
import type { StoreHandler, StoreInput, StoreOperation, StoreRequest } from "../wire.ts";

/** A value on the wire: `{ S: "text" }`. */
export interface WireValue {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly [type: string]: unknown;
}

/** An item, or the key of one. */
export type WireItem = Readonly<Record<string, WireValue>>;

/** An item that a request names by its key. */
export interface TouchedItem {
  readonly tableName: string;
  readonly key: WireItem;
  /** The same for every spelling of the same key, and different for different items. */
  readonly id: string;
}

/** The operations that change items. */
export const WRITES: ReadonlySet<StoreOperation> = new Set([
  "BatchWriteItem",
  "DeleteItem",
  "PutItem",
  "UpdateItem",
]);

/**
 * The items that a request names by their keys: none for a query, a scan, or a request about tables. A malformed item
 * is left out; the engine refuses its request.
 */
export function touchedItems({ operation, input }: StoreRequest, tables: TableShapes): TouchedItem[] {
  return namedItems(operation, input).flatMap(([tableName, attributes]) => {
    const shape = typeof tableName === "string" ? tables(tableName) : undefined;
    const key = shape && keyOf(shape, attributes);
    return key === undefined ? [] : [{ tableName: tableName as string, key, id: idOf(tableName, key) }];
  });
}

/** The key that an item has in a table or an index; undefined when the item lacks a key attribute. */
export function keyOf(shape: KeyShape, item: unknown): WireItem | undefined {
  const entries = keyAttributes(shape).map(({ name, type }) => [name, keyPart(item, name, type)] as const);
  return entries.every(([, value]) => value !== undefined)
    ? (Object.fromEntries(entries) as WireItem)
    : undefined;
}

function keyPart(item: unknown, name: string, type: KeyKind): WireValue | undefined {
  const value = ownMember(item as Partial<WireItem> | undefined, name)?.[type];
  return typeof value === "string" ? { [type]: value } : undefined;
}

/** One text for all spellings of a key: numbers and binary values have several. */
const idOf = (tableName: unknown, key: WireItem): string =>
  JSON.stringify([tableName, ...Object.values(key).map(plainValue)]);

/** The value of a key in its canonical spelling. */
export function plainValue({ S, N, B }: WireValue): unknown {
  if (N !== undefined) return numberOf(N) ?? N;
  return B === undefined ? S : Buffer.from(B, "base64").toString("base64");
}

/** The item as the engine has it now; undefined when there is none. */
export async function imageOf(
  engine: StoreHandler,
  { tableName: TableName, key: Key }: Pick<TouchedItem, "tableName" | "key">,
): Promise<WireItem | undefined> {
  const { body } = await engine({ operation: "GetItem", input: { TableName, Key, ConsistentRead: true } });
  return body.Item as WireItem | undefined;
}

type Named = readonly [tableName: unknown, attributes: unknown];

/** The members of a batch's part that name items. */
interface BatchPart {
  readonly Keys?: unknown;
  readonly PutRequest?: { readonly Item?: unknown };
  readonly DeleteRequest?: { readonly Key?: unknown };
}

function namedItems(operation: StoreOperation, input: StoreInput): readonly Named[] {
  if (operation === "PutItem") return [[input.TableName, input.Item]];
  if (operation === "GetItem" || operation === "UpdateItem" || operation === "DeleteItem")
    return [[input.TableName, input.Key]];
  const tables = Object.entries((input.RequestItems ?? {}) as Record<string, BatchPart | null>);
  return tables.flatMap(([table, part]) =>
    (operation === "BatchGetItem" ? listOf(part?.Keys) : listOf(part).map(writtenBy)).map(
      (attributes): Named => [table, attributes],
    ),
  );
}

function writtenBy(write: unknown): unknown {
  const { PutRequest, DeleteRequest } = (write ?? {}) as BatchPart;
  return PutRequest?.Item ?? DeleteRequest?.Key;
}
