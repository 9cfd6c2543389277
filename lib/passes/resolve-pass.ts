import {
  addCorrection,
  type CorrectionOrder,
  isTakenOut,
  TOO_OFTEN_CORRECTED,
  versionIdentity,
} from "../corrections.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import type { CurrentPass, PassRecord, StoredPass } from "./pass.ts";
import { objectionTo } from "./pass-rules.ts";

/** The decision about a stored pass: an outcome, and the replacement if there is one. */
export interface PassResolution {
  readonly outcome: WriteOutcome;
  readonly replacement?: PassReplacement;
  /** Whether the stored pass may still get the template that the given pass names. */
  readonly isAccepted?: boolean;
}

/** A pass to publish in place of one that was seen, with the trace of corrections to be kept. */
export interface PassReplacement {
  readonly pass: PassRecord;
  readonly seen: CurrentPass;
  readonly corrections: string | undefined;
}

/**
 * Orders a pass against the stored one by their versions. A version that a correction took out is stale; a correction
 * puts any version, with its template, in place of a current one. Neither changes a void pass.
 */
export function resolvePass(
  pass: PassRecord,
  stored: StoredPass,
  correction?: CorrectionOrder,
): PassResolution {
  const objection = objectionTo(pass, stored);
  if (stored.state === "void") return { outcome: objection ?? { outcome: "stale" } };
  const { corrections } = stored;
  const isOut = isTakenOut(corrections, identityOf(pass));
  const isStored = pass.version === stored.version && pass.text === stored.text;
  if (correction !== undefined && !isStored && (isOut || objection !== undefined))
    return correct(pass, stored, correction);
  if (isOut) return { outcome: { outcome: "stale" } };
  if (objection !== undefined) return { outcome: objection, isAccepted: objection.outcome !== "refused" };
  return { outcome: { outcome: "written" }, replacement: { pass, seen: stored, corrections } };
}

function correct(pass: PassRecord, seen: CurrentPass, correction: CorrectionOrder): PassResolution {
  const versions = { replaced: identityOf(seen), by: identityOf(pass) };
  const corrections = addCorrection(seen.corrections, correction, versions);
  if (corrections === undefined) return { outcome: refused(TOO_OFTEN_CORRECTED) };
  const replaced = `replaces version ${seen.version}`;
  return { outcome: { outcome: "corrected", replaced }, replacement: { pass, seen, corrections } };
}

const identityOf = ({ version, text }: CurrentPass): string => versionIdentity(String(version), text);
