import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { refused, type WriteOutcome } from "../write-outcome.ts";

export type Item = Readonly<Record<string, AttributeValue>>;

/** One version of a record, ready to be stored. */
export interface VersionedRecord {
  /** The whole item: its key, `doc` (the text served), `version` (sorts as text), `state`, and what is searched. */
  readonly item: Item;
  /** What the contract calls `state`. */
  readonly stateMember: string;
  /** The states that a stored version may be in for this one to follow it. */
  readonly follows: readonly string[];
  /** What never changes between versions: the document's member, and the attribute that must be equal. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** What to do about a stored item: an outcome, and the item to put in its place if there is one. */
export interface Settlement {
  readonly outcome: WriteOutcome;
  readonly item?: Item | undefined;
}

/**
 * Orders a version against the stored one by (`version`, `doc`): a lower one is stale, an equal one unchanged, a higher
 * one takes its place if its state can follow and nothing fixed differs, and is refused otherwise.
 */
export function settle(stored: Item, record: VersionedRecord): Settlement {
  const { item, follows, fixed } = record;
  if (stored.doc === undefined) return { outcome: { outcome: "written" }, item };
  const order = compareTexts(stored, item, "version") || compareTexts(stored, item, "doc");
  if (order === 0) return { outcome: { outcome: "unchanged" } };
  if (order > 0) return { outcome: { outcome: "stale" } };
  const changed = Object.entries(fixed).find(([, attribute]) => stored[attribute]?.S !== item[attribute]?.S);
  if (changed !== undefined)
    return { outcome: refused(`${changed[0]} differs from what is stored: it never changes`) };
  if (follows.includes(textOf(stored, "state"))) return { outcome: { outcome: "written" }, item };
  const step = `from ${textOf(stored, "state")} to ${textOf(item, "state")}`;
  return { outcome: refused(`${record.stateMember} cannot go ${step}`) };
}

/** The text of an attribute; empty when there is none. */
export const textOf = (item: Item, attribute: string): string => item[attribute]?.S ?? "";

function compareTexts(one: Item, other: Item, attribute: string): number {
  const [left, right] = [textOf(one, attribute), textOf(other, attribute)];
  return left === right ? 0 : left < right ? -1 : 1;
}
