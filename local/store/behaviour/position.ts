import { createHash } from "node:crypto";
import { ownMember } from "../../../lib/own-member.ts";
import { ExpressionScope } from "../rules/expression-scope.ts";
import { joined, keyConditionOf } from "../rules/key-condition.ts";
import type { KeyShape } from "../table-shape.ts";
import type { StoreInput } from "../wire.ts";
import { plainValue, type WireItem, type WireValue } from "./touched-items.ts";

/** How long the part of a position is that the partition key decides. */
const HASH_DIGITS = 8;

/** Sorts after every position that begins alike. */
const LAST = "\uffff";

/**
 * Where an item lies among all of its table or index, as a text that sorts: the hash of its partition key, then its sort
 * key. So the items of one partition key lie together, in the order of their sort keys, as they do in DynamoDB.
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

/** A number as digits that sort like it: the bits of a float do, once those of negative ones are turned round. */
function numberText(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  const flipped =
    value < 0 ? bytes.map((byte) => byte ^ 0xff) : bytes.map((byte, at) => (at === 0 ? byte ^ 0x80 : byte));
  return Buffer.from(flipped).toString("hex");
}

/**
 * Where a query or a scan begins to read: after the key that it starts from, or else at an end of its partition key's
 * items, or of the table.
 */
export function startOf(shape: KeyShape, input: StoreInput): string {
  if (input.ExclusiveStartKey !== undefined) return positionOf(shape, input.ExclusiveStartKey as WireItem);
  const value = partitionValue(shape.partition.name, input);
  if (value === undefined) return "";
  return hashOf(value) + (input.ScanIndexForward === false ? LAST : "");
}

/** What a key condition demands the partition key to be, whichever side of the sign it stands on. */
function partitionValue(name: string, input: StoreInput): WireValue | undefined {
  const scope = new ExpressionScope(input, undefined, ["KeyConditionExpression"]);
  const tree = scope.tree("KeyConditionExpression");
  const nodes = tree?.kind === "condition" ? joined(tree.root) : [];
  const conditions = nodes.map((node) => keyConditionOf(node, scope));
  const found = conditions.find((condition) => condition?.attribute === name && condition.operator === "=");
  return found?.values[0] as WireValue | undefined;
}
