import { unavailable } from "../errors.ts";
import { correctionOf, type Intake } from "../intake.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import { checkPass, type PassRecord } from "./pass.ts";
import type { PassRegister } from "./pass-register.ts";
import { type PassResolution, resolvePass } from "./resolve-pass.ts";

/** Another writer of the same pass won each lost round. */
const ROUNDS_MAX = 16;

type Register = Pick<PassRegister, "put" | "replace" | "adoptTemplate">;

/**
 * Publishes a pass: `text` is one JSON document in the shape of `pass-document.ts`. Its version must be higher than the
 * stored one, by any step, so that passes may arrive in any order; a correction replaces a higher version too. A bad
 * document gives the outcome `refused`, not an exception.
 *
 * @throws {Failure} `temporarily_unavailable` when the store fails, or other writers keep getting in between.
 */
export async function putPass(register: Register, text: string, intake: Intake = {}): Promise<WriteOutcome> {
  const checked = checkPass(text);
  if (!checked.ok) return refused(checked.reason);
  const pass = checked.value;
  const correction = correctionOf(intake);
  let resolved: PassResolution | undefined;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { replacement } = resolved ?? {};
    const attempt = await (replacement ? register.replace(replacement) : register.put(pass));
    if (attempt.done) return resolved?.outcome ?? { outcome: "written" };
    resolved = attempt.stored && resolvePass(pass, attempt.stored, correction);
    if (resolved !== undefined && resolved.replacement === undefined)
      return await conclude(register, pass, resolved);
  }
  throw unavailable("Other writers of the pass were faster each time.");
}

/** A lower version that arrives late may still be the one that names the template. */
async function conclude(
  register: Register,
  { partnerReference, templateId }: PassRecord,
  { outcome, isAccepted }: PassResolution,
): Promise<WriteOutcome> {
  if (isAccepted === true && templateId !== undefined)
    await register.adoptTemplate(partnerReference, templateId);
  return outcome;
}
