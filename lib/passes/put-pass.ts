import { putRecord } from "../dynamo/record-register.ts";
import type { Intake } from "../intake.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import { checkPass } from "./pass.ts";
import type { PassRegister } from "./pass-register.ts";

/**
 * Publishes a pass: `text` is one JSON document in the shape of `pass-document.ts`. Its version must be higher than the
 * stored one, by any step, so that passes may arrive in any order; a correction replaces a higher version too. A bad
 * document gives the outcome `refused`, not an exception.
 *
 * @throws {Failure} `temporarily_unavailable` when the store fails, or other writers keep getting in between.
 */
export const putPass = (
  register: Pick<PassRegister, "put">,
  text: string,
  intake?: Intake,
): Promise<WriteOutcome> => putRecord(register, checkPass(text), intake);
