import type { Command } from "commander";
import type { Intake } from "../../lib/intake.ts";
import { OperatorError } from "../terminal/operator-error.ts";
import { isReason, REASON_RULE } from "./reason.ts";

/** What a command line says about replacing newer versions. */
export interface CorrectionOptions {
  readonly correct?: true;
  readonly reason?: string;
}

/** How the help of a command explains them. */
export const CORRECTION_HELP = `
--correct is for a wrong version that would stay because it is the newest: what is given takes its place, however old. The
version that was replaced is stale from then on, should it come again; the row of the record keeps the time, what was
replaced by what, and --reason. What had been stale beside the wrong version was not kept: give it again.
Of several versions of one record in a file the last one stays, also when the file is imported again.`;

/** Gives a command the options that let it replace newer versions. */
export function addCorrectionOptions(command: Command): Command {
  return command
    .option("--correct", "put these versions in the place of newer ones, and leave a trace of it")
    .option("--reason <text>", "why it is corrected, for other operators; kept with the trace");
}

/** How the versions are to be taken in. @throws {OperatorError} for a reason without a correction, or that is no line. */
export function intakeOf({ correct, reason }: CorrectionOptions): Intake {
  if (correct !== true) {
    if (reason !== undefined) throw new OperatorError("--reason goes with --correct only.");
    return {};
  }
  if (reason !== undefined && !isReason(reason))
    throw new OperatorError(`Say why with --reason TEXT, ${REASON_RULE}.`);
  return { correct: { reason } };
}
