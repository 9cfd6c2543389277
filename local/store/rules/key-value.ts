import type { Members } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import type { KeyAttribute } from "../table-shape.ts";
import { binaryBytes, dataTypeOf, textBytes, textOf } from "../value/attribute-value.ts";
import { INVALID, NOT_VALID } from "./rule.ts";

const MAX_PARTITION_BYTES = 2048;
const MAX_SORT_BYTES = 1024;

/** The length of a text or binary key in bytes; undefined for numbers, which have other limits, and other values. */
export function keyBytes(value: unknown): number | undefined {
  const type = dataTypeOf(value);
  const text = type === "S" || type === "B" ? textOf(value, type) : undefined;
  if (text === undefined) return undefined;
  return type === "B" ? binaryBytes(text) : textBytes(text);
}

export const maxKeyBytes = (isPartition: boolean): number =>
  isPartition ? MAX_PARTITION_BYTES : MAX_SORT_BYTES;

/** DynamoDB's words for a key's value that is empty; undefined for any other value. */
export function emptyFault(value: unknown, name: string): string | undefined {
  if (keyBytes(value) !== 0) return undefined;
  const kind = dataTypeOf(value) === "B" ? "binary" : "string";
  return `${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`;
}

/** DynamoDB's words for a key's value that is too long; undefined for any other value. */
export function lengthFault(value: unknown, isPartition: boolean): string | undefined {
  if ((keyBytes(value) ?? 0) <= maxKeyBytes(isPartition)) return undefined;
  return isPartition
    ? `${INVALID}Size of hashkey has exceeded the maximum size limit of${MAX_PARTITION_BYTES} bytes`
    : `${INVALID}Aggregated size of all range keys has exceeded the size limit of ${MAX_SORT_BYTES} bytes`;
}

/** Whether a value has the type of a key attribute. */
export const hasType = (value: unknown, { type }: KeyAttribute): boolean => dataTypeOf(value) === type;

/** Whether members are these key attributes and no others, each of its type. */
export const isKeyOf = (members: Members, keys: readonly KeyAttribute[]): boolean =>
  Object.keys(members).length === keys.length &&
  keys.every((key) => hasType(ownMember(members, key.name), key));
