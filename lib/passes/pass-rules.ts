import { type Item, textOf } from "../dynamo/item.ts";

/**
 * Gives both versions of a pass the template that one of them names. A lower version that arrives late may still be the
 * one that names it, unless a correction took it out.
 */
export function handOnTemplate(
  stored: Item,
  given: Item,
  isOut: boolean,
): readonly [stored: Item, given: Item] {
  const [ofStored, ofGiven] = [stored.template_id, given.template_id];
  if (ofStored !== undefined) return [stored, { template_id: ofStored, ...given }];
  return [ofGiven === undefined || isOut ? stored : { ...stored, template_id: ofGiven }, given];
}

/** Why a pass that is not lower does not replace the stored one; undefined when it may. */
export function objectionTo(pass: Item, stored: Item): string | undefined {
  if (stored.gone_at !== undefined)
    return "the pass was voided, which is for good; publish under another reference";
  const steps = Number(pass.version?.N) - Number(stored.version?.N);
  if (stored.doc === undefined || steps < 0) return undefined;
  const [template, known] = [pass.template_id?.S, stored.template_id?.S];
  if ((template ?? known) !== (known ?? template))
    return "template_id cannot change once it is set; leave it out or as it was";
  if (steps > 0 || textOf(pass, "doc") === textOf(stored, "doc")) return undefined;
  const why = "with other content, or with its members in another order";
  return `version ${pass.version?.N} is stored ${why}; a change needs a higher version`;
}
