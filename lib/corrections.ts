import { createHash } from "node:crypto";

/** An operator's order to replace a newer version. */
export interface CorrectionOrder {
  /** Epoch milliseconds of the order. */
  readonly at: number;
  /** The reason, for other operators. */
  readonly reason?: string | undefined;
}

/** The trace that a correction leaves in the row of its record. */
interface Correction {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Identity of the version that was taken out. */
  readonly replaced: string;
  /** Identity of the version that took its place. */
  readonly by: string;
  readonly reason?: string | undefined;
}

/** Each correction adds some 150 bytes and its reason to the row. */
const CORRECTIONS_MAX = 100;

const DIGEST_LENGTH = 22;

/** Identifies a version among all of its record: by its place in their order, and the digest of its text. */
export const versionIdentity = (version: string, text: string): string =>
  `${version}#${createHash("sha256").update(text).digest("base64url").slice(0, DIGEST_LENGTH)}`;

/** The corrections in a row's `corrections`, oldest first; an empty list for a row without them. */
export const readCorrections = (stored: string | undefined): readonly Correction[] =>
  stored === undefined ? [] : (JSON.parse(stored) as Correction[]);

/** A row's `corrections` with one more; undefined when the row already holds as many as it may. */
export function addCorrection(
  stored: string | undefined,
  { at, reason }: CorrectionOrder,
  versions: Pick<Correction, "replaced" | "by">,
): string | undefined {
  const before = readCorrections(stored);
  if (before.length >= CORRECTIONS_MAX) return undefined;
  return JSON.stringify([...before, { at: new Date(at).toISOString(), ...versions, reason }]);
}

/** Whether a correction took out a version and no later correction put it back. */
export const isTakenOut = (stored: string | undefined, identity: string): boolean =>
  readCorrections(stored).findLast(({ replaced, by }) => replaced === identity || by === identity)
    ?.replaced === identity;

/** Why a record cannot be corrected again. */
export const TOO_OFTEN_CORRECTED = `the record was corrected ${CORRECTIONS_MAX} times already, the most that its row holds`;
