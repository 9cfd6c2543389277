import { randomUUID } from "node:crypto";
import { observe, onceAnswered, type Rule, type Subject } from "./rule.ts";

/** A new reference, under which there is no pass. */
export const unknownReference = (): string => `check-${randomUUID()}`;

/** The missing option for a pass that is gone; undefined when the option was given. */
export const lacksGone = ({ plan }: Subject): string | undefined =>
  plan.goneReference === undefined ? "--gone-reference" : undefined;

/** The reference of a pass that is gone. */
export const goneReference = ({ plan }: Subject): string => plan.goneReference ?? "";

const rules: readonly Rule[] = [
  {
    id: "404-unknown",
    level: "contract",
    rule: "A pass that never existed is answered with 404",
    expected: "404",
    why: "A pass that is not found is answered with 404, and the wallet then stops polling (contract, Retrieve a pass).",
    run: ({ wallet }) => observe(wallet, { reference: unknownReference() }, 404),
  },
  {
    id: "410-gone",
    level: "contract",
    rule: "A pass that is gone for good is answered with 410",
    expected: "410",
    why: "A pass that is permanently gone is answered with 410, and the wallet then stops polling (contract, Retrieve a pass).",
    lacks: lacksGone,
    run: (subject) => observe(subject.wallet, { reference: goneReference(subject) }, 410),
  },
];

/** The rules about a pass that does not exist. The wallet service stops polling on either answer. */
export const absenceRules: readonly Rule[] = rules.map(onceAnswered);
