import {
  addCorrection,
  type CorrectionOrder,
  isTakenOut,
  TOO_OFTEN_CORRECTED,
  versionIdentity,
} from "../corrections.ts";
import { versionInstant } from "../lifecycle.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import { type Item, textOf } from "./item.ts";

/** One version of a record, ready to be stored. */
export interface VersionedRecord {
  /** The whole item: its key, `doc` (the text served), `version` (sorts as text), and the searched attributes. */
  readonly item: Item;
  /** Describes an unusual step from the stored version to this one, or an unusual first one; else undefined. */
  readonly unusualAfter: (before: Item | undefined) => string | undefined;
  /**
   * For records whose versions share an attribute, such as the spelling of an id: returns both versions with the value
   * to share, and the stored one itself when it already has that value.
   */
  readonly handOn?: (stored: Item, given: Item) => readonly [stored: Item, given: Item];
}

/** The decision about a stored item: an outcome, and the item to put in its place if there is one. */
export interface Resolution {
  readonly outcome: WriteOutcome;
  readonly item?: Item | undefined;
}

/**
 * Orders a version against the stored one by (`version`, `doc`): a lower one is stale, an equal one unchanged, a higher
 * one takes its place, whatever else differs. A shared attribute keeps the least value that any version had. Each write
 * moves the version up or the shared value down, so that the same item remains in whatever order versions come. A
 * version that a correction took out is stale; a correction puts any version in place of the stored one.
 */
export function resolveVersion(
  stored: Item,
  record: VersionedRecord,
  correction?: CorrectionOrder,
): Resolution {
  if (stored.doc === undefined) return { outcome: written(record), item: record.item };
  const [before, given] = record.handOn?.(stored, record.item) ?? [stored, record.item];
  const isHandedOn = before !== stored;
  const order = compareTexts(before, given, "version") || compareTexts(before, given, "doc");
  const isOut = stored.corrections !== undefined && isTakenOut(stored.corrections.S, identityOf(given));
  if (correction !== undefined && (order > 0 || (order < 0 && isOut)))
    return correct({ stored, given, record, correction });
  if (!isOut && (order < 0 || (order === 0 && isHandedOn)))
    return { outcome: written(record, stored), item: withCorrections(given, stored.corrections?.S) };
  const outcome: WriteOutcome = { outcome: order === 0 ? "unchanged" : "stale" };
  return isHandedOn ? { outcome, item: before } : { outcome };
}

interface Replacement {
  readonly stored: Item;
  readonly given: Item;
  readonly record: VersionedRecord;
  readonly correction: CorrectionOrder;
}

function correct({ stored, given, record, correction }: Replacement): Resolution {
  const versions = { replaced: identityOf(stored), by: identityOf(given) };
  const corrections = addCorrection(stored.corrections?.S, correction, versions);
  if (corrections === undefined) return { outcome: refused(TOO_OFTEN_CORRECTED) };
  const steps = record.unusualAfter(stored);
  const replaced = `replaces the version of ${versionInstant(textOf(stored, "version"))}`;
  return {
    outcome: { outcome: "corrected", replaced: steps === undefined ? replaced : `${replaced}; ${steps}` },
    item: withCorrections(given, corrections),
  };
}

const withCorrections = (item: Item, corrections: string | undefined): Item =>
  corrections === undefined ? item : { ...item, corrections: { S: corrections } };

/** The id comes first in a text and may have the spelling of another version, so it does not count. */
const identityOf = (item: Item): string =>
  versionIdentity(textOf(item, "version"), textOf(item, "doc").replace(/^\{"id":"[^"]*"/, ""));

/** The outcome of a version that took the place of a stored one, or was the first. */
export function written(record: VersionedRecord, before?: Item): WriteOutcome {
  const unusual = record.unusualAfter(before);
  return unusual === undefined ? { outcome: "written" } : { outcome: "written", unusual };
}

function compareTexts(one: Item, other: Item, attribute: string): number {
  const [left, right] = [textOf(one, attribute), textOf(other, attribute)];
  return left === right ? 0 : left < right ? -1 : 1;
}
