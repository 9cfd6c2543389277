import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { ownMember } from "../own-member.ts";

/** A stored item, or a part of one: its attributes by their names. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** The text of an attribute; empty when the item does not have it. */
export const textOf = (item: Item, attribute: string): string => ownMember(item, attribute)?.S ?? "";

/** The part of an item that is its key. */
export const keyOf = (item: Item, keyNames: readonly string[]): Item =>
  Object.fromEntries(keyNames.map((name) => [name, ownMember(item, name) ?? { NULL: true }]));
