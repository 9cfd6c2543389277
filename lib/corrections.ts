import { createHash } from "node:crypto";

/** What an operator adds when a version is to replace a newer one. */
export interface CorrectionOrder {
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** Why, for other operators. */
  readonly reason?: string | undefined;
}

/** The trace that a correction leaves in the row of its record. */
interface Correction {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Identities of the version that was taken out, and of the one that was put in its place. */
  readonly replaced: string;
  readonly by: string;
  readonly reason?: string | undefined;
}

/** Each leaves some hundred bytes in the row. */
const CORRECTIONS_MAX = 100;

const DIGEST_LENGTH = 22;

/** What tells a version from all others of its record: its place among them, and the digest of what it says. */
export const versionIdentity = (version: string, text: string): string =>
  `${version}#${createHash("sha256").update(text).digest("base64url").slice(0, DIGEST_LENGTH)}`;

/** The corrections that a row's `corrections` holds, oldest first; none without it. */
export const readCorrections = (stored: string | undefined): readonly Correction[] =>
  stored === undefined ? [] : (JSON.parse(stored) as Correction[]);

/** The row's `corrections` with another one; undefined when it holds as many as it may. */
export function addCorrection(
  stored: string | undefined,
  { at, reason }: CorrectionOrder,
  versions: Pick<Correction, "replaced" | "by">,
): string | undefined {
  const before = readCorrections(stored);
  if (before.length >= CORRECTIONS_MAX) return undefined;
  return JSON.stringify([...before, { at: new Date(at).toISOString(), ...versions, reason }]);
}

/** Whether a version was taken out by a correction, and has not been put in place by a later one. */
export const isTakenOut = (stored: string | undefined, identity: string): boolean =>
  readCorrections(stored).findLast(({ replaced, by }) => replaced === identity || by === identity)
    ?.replaced === identity;

/** Why a record cannot be corrected again. */
export const TOO_OFTEN_CORRECTED = `the record was corrected ${CORRECTIONS_MAX} times, which is as often as its row holds`;
