import { type Item, textOf } from "../dynamo/item.ts";

/**
 * Hands a template that only one version of a pass names on to the other. A lower version that arrives late may still
 * be the only one that names it; a version that a correction took out (`isOut`) hands nothing on to the stored one.
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

/**
 * Why a pass must not replace the stored one; undefined when it may. Nothing replaces a void pass. For any other, a
 * lower version gives undefined too: that it is lower is reason enough.
 */
export function objectionTo(pass: Item, stored: Item): string | undefined {
  if (stored.gone_at !== undefined)
    return "the pass was voided, which is for good; publish under another reference";
  const steps = Number(pass.version?.N) - Number(stored.version?.N);
  if (stored.doc === undefined || steps < 0) return undefined;
  const [template, known] = [pass.template_id?.S, stored.template_id?.S];
  // A version without a template differs from none.
  if ((template ?? known) !== (known ?? template))
    return "template_id cannot change once it is set; leave it out or as it was";
  if (steps > 0 || textOf(pass, "doc") === textOf(stored, "doc")) return undefined;
  const why = "with other content, or with its members in another order";
  return `version ${pass.version?.N} is stored ${why}; a change needs a higher version`;
}
