import { Failure } from "../errors.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import { checkPass, objectionTo } from "./pass.ts";
import type { PassRegister } from "./pass-register.ts";

/** Each lost round was won by another writer of the same pass. */
const ROUNDS_MAX = 16;

/**
 * Publishes a pass: `text` is one JSON document in the shape of `pass-document.ts`. Its version must be higher than
 * the stored one, by any step, so that passes may be handed in in any order. A bad document is refused and never thrown.
 *
 * @throws {Failure} `temporarily_unavailable` for trouble with the store.
 */
export async function publishPass(
  register: Pick<PassRegister, "publish" | "adoptTemplate">,
  text: string,
): Promise<WriteOutcome> {
  const checked = checkPass(text);
  if (!checked.ok) return refused(checked.reason);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const attempt = await register.publish(checked.value);
    if (attempt.done) return { outcome: "written" };
    const objection = attempt.stored === undefined ? undefined : objectionTo(checked.value, attempt.stored);
    if (objection === undefined) continue;
    // A lower version that arrives late may still be the one that names the template.
    const { partnerReference, templateId } = checked.value;
    const isAccepted = objection.outcome !== "refused";
    if (isAccepted && templateId !== undefined) await register.adoptTemplate(partnerReference, templateId);
    return objection;
  }
  throw new Failure("temporarily_unavailable", "Other writers of the pass were faster each time.");
}
