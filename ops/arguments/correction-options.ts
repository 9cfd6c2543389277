import type { Intake } from "../../lib/intake.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { type GivenOf, takes } from "../command.ts";
import { isReason, REASON_RULE } from "./reason.ts";

/** Explains `--correct` and `--reason` in a command's help. */
export const CORRECTION_HELP = `
--correct replaces a wrong version that would otherwise stay because it is the newest. The given version takes its place,
however old it is. If the replaced version comes again, it is stale. The record's row keeps the time of the correction,
both versions' identities and --reason. Versions that were stale because of the wrong one were not stored: give them
again. If a file holds several versions of one record, the last one stays, also when the file is imported again.`;

/** What lets a command replace newer versions. */
export const correctionTakes = takes({
  "--correct": "replace newer stored versions with these, and record that",
  "--reason <text>": "with --correct: why, for other operators; stored with the record",
});

/** The options that let a command replace newer versions. */
export type CorrectionOptions = Partial<GivenOf<typeof correctionTakes>>;

/**
 * The intake that the options ask for.
 *
 * @throws {OperatorError} for a reason without `--correct`, or one that is not one line.
 */
export function intakeOf({ correct, reason }: CorrectionOptions): Intake {
  if (correct !== true) {
    if (reason !== undefined) throw new OperatorError("--reason goes with --correct only.");
    return {};
  }
  if (reason !== undefined && !isReason(reason))
    throw new OperatorError(`Say why with --reason TEXT, ${REASON_RULE}.`);
  return { correct: { reason } };
}
