import type { Members } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { listOf, membersOf } from "../members.ts";
import { compareNumbers, numberBytes, numberOf } from "./number.ts";

const DATA_TYPES = ["S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL"] as const;

export type DataType = (typeof DATA_TYPES)[number];

const dataTypes: ReadonlySet<string> = new Set(DATA_TYPES);

/** The data types that a value names; a sound value names exactly one. Null and unknown members are ignored. */
export function dataTypesOf(value: unknown): readonly DataType[] {
  const types: DataType[] = [];
  const members = membersOf(value);
  for (const name in members) {
    if (dataTypes.has(name) && ownMember(members, name) !== undefined && ownMember(members, name) !== null) {
      types.push(name as DataType);
    }
  }
  return types;
}

/** The data type of a value; undefined unless the value has exactly one. */
export function dataTypeOf(value: unknown): DataType | undefined {
  const types = dataTypesOf(value);
  return types.length === 1 ? types[0] : undefined;
}

/** The content of a value under a data type. */
export const contentOf = (value: unknown, type: DataType): unknown => membersOf(value)?.[type];

/** The text that a scalar value holds under a data type; undefined when it is of another type. */
export function textOf(value: unknown, type: DataType): string | undefined {
  const content = contentOf(value, type);
  return typeof content === "string" ? content : undefined;
}

export const binaryBytes = (base64: string): number => Buffer.byteLength(base64, "base64");

export const textBytes = (text: string): number => Buffer.byteLength(text, "utf8");

/** A list or a map takes three bytes, one more for each element, and the bytes of the elements. */
const CONTAINER_BYTES = 3;

/** The bytes that a sound value adds to an item (developer guide, "DynamoDB item sizes and formats"). */
export function valueBytes(value: unknown): number {
  const type = dataTypeOf(value);
  if (type === undefined) return 0;
  const content = contentOf(value, type);
  if (type === "L") {
    return listOf(content).reduce<number>((sum, element) => sum + 1 + valueBytes(element), CONTAINER_BYTES);
  }
  if (type === "M") {
    const entries = membersOf(content) ?? {};
    return CONTAINER_BYTES + Object.keys(entries).length + itemBytes(entries);
  }
  if (type === "NULL" || type === "BOOL") return 1;
  if (type.length === 2) {
    const scalar = type.charAt(0) as DataType;
    return listOf(content).reduce<number>((sum, element) => sum + scalarBytes(scalar, element), 0);
  }
  return scalarBytes(type, content);
}

/** The size of an item in bytes: the names of its attributes and their values. */
export function itemBytes(item: Members): number {
  let bytes = 0;
  for (const name in item) bytes += textBytes(name) + valueBytes(ownMember(item, name));
  return bytes;
}

function scalarBytes(type: DataType, content: unknown): number {
  if (typeof content !== "string") return 0;
  if (type === "S") return textBytes(content);
  if (type === "B") return binaryBytes(content);
  const number = numberOf(content);
  return number === undefined ? 0 : numberBytes(number);
}

/** The order of two values of the same scalar type, as keys and comparisons use it; undefined for other values. */
export function compareValues(left: unknown, right: unknown): number | undefined {
  const type = dataTypeOf(left);
  if (type === undefined || type !== dataTypeOf(right)) return undefined;
  const [first, second] = [textOf(left, type), textOf(right, type)];
  if (first === undefined || second === undefined) return undefined;
  if (type === "S") return Buffer.compare(Buffer.from(first), Buffer.from(second));
  if (type === "B") return Buffer.compare(Buffer.from(first, "base64"), Buffer.from(second, "base64"));
  const numbers = [numberOf(first), numberOf(second)] as const;
  return numbers[0] && numbers[1] && compareNumbers(numbers[0], numbers[1]);
}
