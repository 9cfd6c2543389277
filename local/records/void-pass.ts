import type { Clock } from "../../lib/clock.ts";
import type { PassRegister } from "../../lib/passes/pass-register.ts";
import { refused, type WriteOutcome } from "../../lib/write-outcome.ts";

/**
 * Voids a pass for good: its reference then answers that the pass is gone, its content is deleted, and nothing can be
 * published under the reference again. A void pass stays as it is; a reference without a pass is refused.
 */
export async function voidPass(
  register: Pick<PassRegister, "void">,
  partnerReference: string,
  clock: Clock,
): Promise<WriteOutcome> {
  const now = clock();
  const attempt = await register.void(partnerReference, now);
  if (attempt.done) return { outcome: "written" };
  // Voided at this very instant: the answer to an earlier attempt was lost.
  if (attempt.stored?.state === "void")
    return { outcome: attempt.stored.goneAt === now ? "written" : "unchanged" };
  return refused("there is no pass with this reference");
}
