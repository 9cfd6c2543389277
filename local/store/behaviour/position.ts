import { createHash } from "node:crypto";
import { ownMember } from "../../../lib/own-member.ts";
import { ExpressionScope } from "../rules/expression-scope.ts";
import { joined, keyConditionOf } from "../rules/key-condition.ts";
import type { KeyShape } from "../table-shape.ts";
import type { StoreInput } from "../wire.ts";
import { plainValue, type WireItem, type WireValue } from "./touched-items.ts";

/** The length of the first part of a position, which the partition key decides. */
const HASH_DIGITS = 8;

/** Appended to a hash, it sorts after every position that begins with that hash. */
const LAST = "\uffff";

/**
 * The position of an item in its table or index, as a text that sorts: the hash of its partition key, then its sort
 * key. The items of one partition key lie together, in the order of their sort keys, as in DynamoDB.
 */
export function positionOf({ partition, sort }: KeyShape, item: WireItem): string {
  const sortValue = sort === undefined ? undefined : ownMember(item, sort.name);
  return hashOf(ownMember(item, partition.name)) + (sortValue === undefined ? "" : sortText(sortValue));
}

/** The hash of a value, the same however the value is spelled. */
const hashOf = (value: WireValue = {}): string =>
  createHash("sha256")
    .update(JSON.stringify(plainValue(value) ?? null))
    .digest("hex")
    .slice(0, HASH_DIGITS);

function sortText({ S, N, B }: WireValue): string {
  if (N !== undefined) return numberText(Number(N));
  return B === undefined ? String(S) : Buffer.from(B, "base64").toString("hex");
}

/**
 * A number as hex digits that sort like it: the bits of a double, with the sign bit flipped, or all bits of a negative
 * one.
 */
function numberText(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  const flipped =
    value < 0 ? bytes.map((byte) => byte ^ 0xff) : bytes.map((byte, at) => (at === 0 ? byte ^ 0x80 : byte));
  return Buffer.from(flipped).toString("hex");
}

/**
 * Where a query or a scan begins to read: after its start key; without one, at either end of its partition key's items,
 * or at the beginning of the table.
 */
export function startOf(shape: KeyShape, input: StoreInput): string {
  if (input.ExclusiveStartKey !== undefined) return positionOf(shape, input.ExclusiveStartKey as WireItem);
  const value = partitionValue(shape.partition.name, input);
  if (value === undefined) return "";
  return hashOf(value) + (input.ScanIndexForward === false ? LAST : "");
}

/** The value that a key condition demands of the partition key, on either side of the `=`. */
function partitionValue(name: string, input: StoreInput): WireValue | undefined {
  const scope = new ExpressionScope(input, undefined, ["KeyConditionExpression"]);
  const tree = scope.tree("KeyConditionExpression");
  const nodes = tree?.kind === "condition" ? joined(tree.root) : [];
  const conditions = nodes.map((node) => keyConditionOf(node, scope));
  const found = conditions.find((condition) => condition?.attribute === name && condition.operator === "=");
  return found?.values[0] as WireValue | undefined;
}
