/** A reading of a pass, as the history of its tags shows it. */
export interface TagReading {
  /** The tag that was sent in `If-None-Match`; undefined for a reading without one. */
  readonly sentTag: string | undefined;
  readonly status: number;
  /** The tag of the answer; undefined for an answer without one. */
  readonly tag: string | undefined;
}

/** What a reading says, given the tag that was known before it. */
export function meaningOf({ status, tag }: TagReading, knownTag: string | undefined): string {
  if (status === 304) return "not changed since this tag";
  if (status === 410) return "voided for good: stop asking";
  if (status !== 200) return "no pass";
  if (knownTag === undefined) return "the pass, with its tag";
  return tag === knownTag ? "the same pass once more" : "changed: a new tag";
}

/** The last tag that readings have; undefined before the first. */
export const lastTagOf = (readings: readonly TagReading[]): string | undefined =>
  readings.findLast(({ tag }) => tag !== undefined)?.tag;
