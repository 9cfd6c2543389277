import { refused, type WriteOutcome } from "../write-outcome.ts";
import type { PassRecord, StoredPass } from "./pass.ts";

/** Why a pass does not replace the stored one; undefined when it may. */
export function objectionTo(pass: PassRecord, stored: StoredPass): WriteOutcome | undefined {
  if (stored.state === "void")
    return refused("the pass was voided, which is for good; publish under another reference");
  if (pass.version < stored.version) return { outcome: "stale" };
  if ((pass.templateId ?? stored.templateId) !== (stored.templateId ?? pass.templateId))
    return refused("template_id cannot change once it is set; leave it out or as it was");
  if (pass.version > stored.version) return undefined;
  if (pass.text === stored.text) return { outcome: "unchanged" };
  const why = "with other content, or with its members in another order";
  return refused(`version ${pass.version} is stored ${why}; a change needs a higher version`);
}
