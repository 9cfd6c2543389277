import { itemBytes } from "../value/attribute-value.ts";
import type { ValueFault } from "../value/value-fault.ts";
import type { Rule } from "./rule.ts";
import { BOTH, DYNALITE, DYNOXIDE, ITEM_OPERATIONS, NEITHER, pageOf } from "./rule-terms.ts";

const MAX_ITEM_BYTES = 409_600;
const TYPES_PAGE = pageOf.guide("Supported data types and naming rules in DynamoDB");
const NAMING = pageOf.guide("Constraints, Naming rules");

/** Rules for values, anywhere in a request. */
export const valueRules: readonly Rule[] = [
  {
    ...ruleOf("base64", BOTH),
    name: "binary-is-base64",
    demands: "A binary value is Base64, padded and canonical.",
    source: `${pageOf.api("AttributeValue, B")}; the message is the one that dynalite recorded`,
    code: "SerializationException",
  },
  {
    ...ruleOf("data-type", BOTH),
    name: "one-data-type",
    demands: "A value has one data type.",
    source: pageOf.api("AttributeValue"),
  },
  {
    ...ruleOf("null", BOTH),
    name: "null-is-true",
    demands: "A value of the type NULL is true.",
    source: `${pageOf.api("AttributeValue, NULL")}; in 2026 some regions began to accept false as true`,
  },
  {
    ...ruleOf("number", BOTH),
    name: "number-form",
    demands: "A number is a decimal, with or without an exponent.",
    source: TYPES_PAGE,
  },
  {
    ...ruleOf("number-range", BOTH),
    name: "number-range",
    demands: "A number is zero, or its magnitude is at least 1E-130 and less than 1E126.",
    source: pageOf.guide("Constraints, Data types"),
  },
  {
    ...ruleOf("number-digits", BOTH),
    name: "number-digits",
    demands: "A number has at most 38 significant digits.",
    source: pageOf.guide("Constraints, Data types"),
  },
  {
    ...ruleOf("empty-set", BOTH),
    name: "set-not-empty",
    demands: "A set has at least one element.",
    source: TYPES_PAGE,
  },
  {
    ...ruleOf("null-in-set", DYNOXIDE),
    name: "set-elements-not-null",
    demands: "No element of a set is null.",
    source: `${pageOf.api("AttributeValue")}; the message is known for sets of texts only`,
    endedBy: DYNALITE,
  },
  {
    ...ruleOf("repeating-set", BOTH),
    name: "set-elements-differ",
    demands: "The elements of a set differ.",
    source: TYPES_PAGE,
  },
  {
    ...ruleOf("nesting", DYNOXIDE),
    name: "nesting",
    demands: "A value has at most 32 levels, counting itself and the path at which an update puts it.",
    source: pageOf.guide("Constraints, Attributes"),
  },
  {
    ...ruleOf("name-empty", NEITHER),
    name: "attribute-name-not-empty",
    demands: "The name of an attribute is not empty, in maps as well.",
    source: `${NAMING}; DynamoDB's message is not known, this one is DynamoDB local's`,
  },
  {
    ...ruleOf("name-length", NEITHER),
    name: "attribute-name-length",
    demands: "The name of an attribute has at most 65,535 bytes, in maps as well.",
    source: NAMING,
  },
  {
    name: "item-size",
    demands: "An item that is put has at most 400 KB, including the names of its attributes.",
    source: pageOf.guide("DynamoDB item sizes and formats"),
    operations: ["BatchWriteItem", "PutItem"],
    keptBy: DYNOXIDE,
    check: ({ items }) =>
      items.some(({ attributes }) => itemBytes(attributes) > MAX_ITEM_BYTES)
        ? "Item size has exceeded the maximum allowed size"
        : undefined,
  },
];

function ruleOf(
  kind: ValueFault["kind"],
  keptBy: Rule["keptBy"],
): Pick<Rule, "operations" | "keptBy" | "check"> {
  return {
    operations: ITEM_OPERATIONS,
    keptBy,
    check: ({ valueFault }) => (valueFault?.kind === kind ? valueFault.message : undefined),
  };
}
