/** Bytes that one read unit and one write unit pay for, by DynamoDB's documented rounding for on-demand tables. */
const READ_UNIT_BYTES = 4_096;
const WRITE_UNIT_BYTES = 1_024;

/** Read units of a query, or of a read of one item, that reads this many bytes. */
export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (isConsistent ? 1 : 0.5);

/** Write units of an item of this many bytes. */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));

type Attribute =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly SS: readonly string[] };

/** An item in DynamoDB's JSON; `B` is Base64. */
export type WireItem = Readonly<Record<string, Attribute>>;

/** Size of an item in bytes, as DynamoDB's documentation counts it: names and values of its attributes. */
export const sizeOf = (item: WireItem): number =>
  Object.entries(item).reduce(
    (sum, [name, attribute]) => sum + Buffer.byteLength(name) + sizeOfValue(attribute),
    0,
  );

function sizeOfValue(attribute: Attribute): number {
  if ("S" in attribute) return Buffer.byteLength(attribute.S);
  if ("SS" in attribute) return attribute.SS.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if ("B" in attribute) return Buffer.from(attribute.B, "base64").length;
  // A number takes one byte for two significant digits, and one more.
  return Math.ceil(attribute.N.replace(/[-.]/g, "").replace(/^0+|0+$/g, "").length / 2) + 1;
}
