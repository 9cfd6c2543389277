import { randomUUID } from "node:crypto";
import { observe, onceAnswered, type Rule, type Subject } from "./rule.ts";

/** A reference that nobody has published. */
export const unknownReference = (): string => `check-${randomUUID()}`;

/** Which option names a pass that is gone, where it was not given. */
export const lacksGone = ({ plan }: Subject): string | undefined =>
  plan.goneReference === undefined ? "--gone-reference" : undefined;

/** The reference of a pass that is gone. */
export const goneReference = ({ plan }: Subject): string => plan.goneReference ?? "";

const rules: readonly Rule[] = [
  {
    id: "404-unknown",
    rule: "A pass that never was is not found",
    expected: "404",
    why: "A pass that is not found is a 404, on which the wallet stops polling (contract, Retrieve a pass).",
    run: ({ wallet }) => observe(wallet, { reference: unknownReference() }, 404),
  },
  {
    id: "410-gone",
    rule: "A pass that is gone for good is gone",
    expected: "410",
    why: "A pass that is permanently gone is a 410, on which the wallet stops polling (contract, Retrieve a pass).",
    lacks: lacksGone,
    run: (subject) => observe(subject.wallet, { reference: goneReference(subject) }, 410),
  },
];

/** What is said of a pass that is not there. The wallet service stops polling on either answer. */
export const absenceRules: readonly Rule[] = rules.map(onceAnswered);
