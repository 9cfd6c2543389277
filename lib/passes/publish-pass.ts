import { Failure } from "../errors.ts";
import { correctionOf, type Intake } from "../intake.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import { checkPass, type PassRecord } from "./pass.ts";
import type { PassRegister } from "./pass-register.ts";
import { type PassSettlement, settlePass } from "./settle-pass.ts";

/** Each lost round was won by another writer of the same pass. */
const ROUNDS_MAX = 16;

type Register = Pick<PassRegister, "publish" | "replace" | "adoptTemplate">;

/**
 * Publishes a pass: `text` is one JSON document in the shape of `pass-document.ts`. Its version must be higher than
 * the stored one, by any step, so that passes may be handed in in any order; a correction replaces a higher one too. A
 * bad document is refused and never thrown.
 *
 * @throws {Failure} `temporarily_unavailable` for trouble with the store.
 */
export async function publishPass(
  register: Register,
  text: string,
  intake: Intake = {},
): Promise<WriteOutcome> {
  const checked = checkPass(text);
  if (!checked.ok) return refused(checked.reason);
  const pass = checked.value;
  const correction = correctionOf(intake);
  let settled: PassSettlement | undefined;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { replacement } = settled ?? {};
    const attempt = await (replacement ? register.replace(replacement) : register.publish(pass));
    if (attempt.done) return settled?.outcome ?? { outcome: "written" };
    settled = attempt.stored && settlePass(pass, attempt.stored, correction);
    if (settled !== undefined && settled.replacement === undefined)
      return await conclude(register, pass, settled);
  }
  throw new Failure("temporarily_unavailable", "Other writers of the pass were faster each time.");
}

/** A lower version that arrives late may still be the one that names the template. */
async function conclude(
  register: Register,
  { partnerReference, templateId }: PassRecord,
  { outcome, isAccepted }: PassSettlement,
): Promise<WriteOutcome> {
  if (isAccepted === true && templateId !== undefined)
    await register.adoptTemplate(partnerReference, templateId);
  return outcome;
}
