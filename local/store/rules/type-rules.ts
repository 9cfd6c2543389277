import { STORE_OPERATIONS } from "../wire.ts";
import type { Rule } from "./rule.ts";
import { BOTH, DYNALITE, DYNOXIDE, pageOf } from "./rule-terms.ts";
import type { TypeFault } from "./type-fault.ts";

const ALL_PAGES = pageOf.api("all operations, Request Syntax");

/** Rules for the types of a request's members, at every depth. The other rules rely on these types. */
export const typeRules: readonly Rule[] = [
  {
    ...ruleOf("type"),
    name: "member-types",
    demands: "Each member of a request has the type that the API defines.",
    source: `${ALL_PAGES}; the message is the one that dynalite recorded`,
    keptBy: BOTH,
  },
  {
    ...ruleOf("null-element"),
    name: "no-null-elements",
    demands: "No element of a list or a map is null; values and sets have rules of their own.",
    source: `${ALL_PAGES}; DynamoDB's message is not known, this one is about other elements`,
    keptBy: DYNOXIDE,
    endedBy: DYNALITE,
  },
];

/** The code and the check of a rule about one kind of fault. */
function ruleOf(kind: TypeFault["kind"]): Pick<Rule, "operations" | "code" | "check"> {
  return {
    operations: STORE_OPERATIONS,
    code: "SerializationException",
    check: ({ typeFault }) => (typeFault?.kind === kind ? typeFault.message : undefined),
  };
}
