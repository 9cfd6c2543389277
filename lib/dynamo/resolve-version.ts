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

/** One version of a record. */
export interface RecordVersion {
  /**
   * The whole item: its key, `doc` (the text served), `version` (a text that sorts, or a whole number of at most 15
   * digits), and the searched attributes.
   */
  readonly item: Item;
  /** Describes an unusual step from the stored version to this one, or an unusual first one; else undefined. */
  readonly unusualAfter?: (before: Item | undefined) => string | undefined;
  readonly shared?: SharedAttribute;
  /**
   * Why a version that is not lower than the stored one must not take its place; undefined when it may. Only a
   * correction overrules it, and none does where the stored item has no `doc`.
   */
  readonly objection?: (stored: Item) => string | undefined;
}

/** One version of a record, ready to be stored. */
export interface VersionedRecord extends RecordVersion {
  /** The names of its key's attributes, all of which are texts; the partition's comes first. */
  readonly key: readonly [partition: string, ...sort: string[]];
}

/** An attribute that the versions of a record share, such as the spelling of its id. */
export interface SharedAttribute {
  readonly name: string;
  /**
   * Returns both versions with the value to share, and the stored one itself when it already has that value.
   *
   * @param isOut whether a correction took the given version out.
   */
  readonly handOn: (stored: Item, given: Item, isOut: boolean) => readonly [stored: Item, given: Item];
  /**
   * Whether the stored value stays when a version names none, or the same. Such a version need not look at what it
   * replaces: it is written by an update, which leaves alone what it does not name, and no step is unusual.
   */
  readonly isKept: boolean;
}

/** The decision about a stored item: an outcome, and the item to put in its place if there is one. */
export interface Resolution {
  readonly outcome: WriteOutcome;
  readonly item?: Item | undefined;
}

/**
 * Orders a version against the stored one by (`version`, `doc`): a lower one is stale, an equal one unchanged, a higher
 * one takes its place, whatever else differs, unless the record objects. A shared attribute keeps the value that
 * `handOn` chooses. Each write moves the version up or settles the shared value, so that the same item remains in
 * whatever order versions come. A version that a correction took out is stale; a correction puts any version in place
 * of the stored one.
 */
export function resolveVersion(
  stored: Item,
  record: VersionedRecord,
  correction?: CorrectionOrder,
): Resolution {
  const objection = record.objection?.(stored);
  const { doc, corrections } = stored;
  if (doc === undefined)
    return objection === undefined
      ? { outcome: written(record), item: record.item }
      : { outcome: refused(objection) };
  const isOut = corrections !== undefined && isTakenOut(corrections.S, identityOf(record.item));
  const [before, given] = record.shared?.handOn(stored, record.item, isOut) ?? [stored, record.item];
  const order = compareVersions(before, given);
  const isHigher = order < 0 && !isOut && objection === undefined;
  if (correction !== undefined && order !== 0 && !isHigher)
    return correct({ stored, given, record, correction });
  if (isHigher) return { outcome: written(record, stored), item: withCorrections(given, corrections?.S) };
  if (objection !== undefined && !isOut) return { outcome: refused(objection) };
  const outcome = order === 0 ? sharedBy(record, stored, before) : ({ outcome: "stale" } as const);
  return before === stored ? { outcome } : { outcome, item: before };
}

/** The outcome of the stored version that comes again: readers may see another spelling of its id from now on. */
const sharedBy = (record: VersionedRecord, stored: Item, before: Item): WriteOutcome =>
  textOf(before, "doc") === textOf(stored, "doc") ? { outcome: "unchanged" } : written(record, stored);

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
  const steps = record.unusualAfter?.(stored);
  const replaced = `replaces ${nameOf(stored)}`;
  return {
    outcome: { outcome: "corrected", replaced: steps === undefined ? replaced : `${replaced}; ${steps}` },
    item: withCorrections(given, corrections),
  };
}

const withCorrections = (item: Item, corrections: string | undefined): Item =>
  corrections === undefined ? item : { ...item, corrections: { S: corrections } };

const versionText = (item: Item): string => item.version?.N ?? textOf(item, "version");

/** A version as people know it: by its number, or by the instant of its update. */
const nameOf = (item: Item): string =>
  item.version?.N === undefined
    ? `the version of ${versionInstant(versionText(item))}`
    : `version ${versionText(item)}`;

/** The id comes first in a text and may have the spelling of another version, so it does not count. */
const identityOf = (item: Item): string =>
  versionIdentity(versionText(item), textOf(item, "doc").replace(/^\{"id":"[^"]*"/, ""));

/** The outcome of a version that took the place of a stored one, or was the first. */
export function written(record: VersionedRecord, before?: Item): WriteOutcome {
  const unusual = record.unusualAfter?.(before);
  return unusual === undefined ? { outcome: "written" } : { outcome: "written", unusual };
}

/** Numbers of this many digits sort as text. */
const DIGITS_MAX = 15;

const placeOf = (item: Item): string => versionText(item).padStart(DIGITS_MAX, "0");

/** Less than 0 when the first version is the lower one, and 0 when they are the same. */
const compareVersions = (one: Item, other: Item): number =>
  compareTexts(placeOf(one), placeOf(other)) || compareTexts(textOf(one, "doc"), textOf(other, "doc"));

const compareTexts = (left: string, right: string): number => Number(left > right) - Number(left < right);
