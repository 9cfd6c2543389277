import { randomUUID } from "node:crypto";
import { observeStatus, onceAnswered, type Rule, type Subject } from "./rule.ts";

/** A reference that nobody has published. */
const unknownReference = (): string => `check-${randomUUID()}`;

const lacksGone = ({ plan }: Subject): string | undefined =>
  plan.goneReference === undefined ? "--gone-reference" : undefined;

const gone = ({ plan }: Subject): string => plan.goneReference ?? "";

const rules: readonly Rule[] = [
  {
    id: "404-unknown",
    rule: "A pass that never was is not found",
    expected: "404",
    why: "A pass that is not found is a 404, on which the wallet stops polling (contract, Retrieve a pass).",
    run: ({ wallet }) => observeStatus(wallet, { reference: unknownReference() }, 404),
  },
  {
    id: "404-before-tag",
    rule: "It is not found whatever tag is sent (RFC 9110 13.2.1)",
    expected: "404",
    why: "A condition counts only where the answer without it would be a 200 (RFC 9110 13.2.1).",
    run: ({ wallet }) =>
      observeStatus(wallet, { reference: unknownReference(), headers: { "If-None-Match": "*" } }, 404),
  },
  {
    id: "410-gone",
    rule: "A pass that is gone for good is gone",
    expected: "410",
    why: "A pass that is permanently gone is a 410, on which the wallet stops polling (contract, Retrieve a pass).",
    lacks: lacksGone,
    run: (subject) => observeStatus(subject.wallet, { reference: gone(subject) }, 410),
  },
  {
    id: "410-before-tag",
    rule: "It is gone whatever tag is sent (RFC 9110 13.2.1)",
    expected: "410",
    why: "A condition counts only where the answer without it would be a 200 (RFC 9110 13.2.1).",
    lacks: lacksGone,
    run: (subject) =>
      observeStatus(subject.wallet, { reference: gone(subject), headers: { "If-None-Match": "*" } }, 410),
  },
];

/** What is said of a pass that is not there. The wallet service stops polling on either answer. */
export const absenceRules: readonly Rule[] = rules.map(onceAnswered);
