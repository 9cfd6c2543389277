import type { Clock } from "../clock.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import type { PassRegister } from "./pass-register.ts";

/**
 * Voids a pass for good: from then on its reference answers that it is gone, its content is no longer stored, and
 * nothing can be published under it again. A pass that is void already stays as it is; one that never was is refused.
 */
export async function voidPass(
  register: Pick<PassRegister, "void">,
  partnerReference: string,
  clock: Clock,
): Promise<WriteOutcome> {
  const now = clock();
  const attempt = await register.void(partnerReference, now);
  if (attempt.done) return { outcome: "written" };
  // Void since this very moment: the answer to the first attempt was lost.
  if (attempt.stored?.state === "void")
    return { outcome: attempt.stored.goneAt === now ? "written" : "unchanged" };
  return refused("there is no pass with this reference");
}
