import { itemBytes } from "../value/attribute-value.ts";
import type { ValueFault } from "../value/value-fault.ts";
import { STORE_OPERATIONS } from "../wire.ts";
import { DYNALITE, DYNOXIDE, ITEM_OPERATIONS, NEITHER, pageOf, type Rule, rulesWith } from "./rule.ts";

const MAX_ITEM_BYTES = 409_600;
const TYPES_PAGE = pageOf.guide("Supported data types and naming rules in DynamoDB");
const ALL_PAGES = pageOf.api("all operations, Request Syntax");
const NAMING = pageOf.guide("Constraints, Naming rules");

/** Rules for the types of a request's members, at every depth. The other rules rely on these types. */
export const typeRules: readonly Rule[] = rulesWith({
  operations: STORE_OPERATIONS,
  code: "SerializationException",
})({
  "member-types": {
    demands: "Each member of a request has the type that the API defines.",
    source: `${ALL_PAGES}; the message is the one that dynalite recorded`,
    check: ({ typeFault }) => (typeFault?.kind === "type" ? typeFault.message : undefined),
  },
  "no-null-elements": {
    demands: "No element of a list or a map is null; values and sets have rules of their own.",
    source: `${ALL_PAGES}; DynamoDB's message is not known, this one is about other elements`,
    keptBy: DYNOXIDE,
    endedBy: DYNALITE,
    check: ({ typeFault }) => (typeFault?.kind === "null-element" ? typeFault.message : undefined),
  },
});

/** Rules for values, anywhere in a request. */
export const valueRules: readonly Rule[] = rulesWith({ operations: ITEM_OPERATIONS, source: TYPES_PAGE })({
  "binary-is-base64": {
    check: faultOf("base64"),
    demands: "A binary value is Base64, padded and canonical.",
    source: `${pageOf.api("AttributeValue, B")}; the message is the one that dynalite recorded`,
    code: "SerializationException",
  },
  "one-data-type": {
    check: faultOf("data-type"),
    demands: "A value has one data type.",
    source: pageOf.api("AttributeValue"),
  },
  "null-is-true": {
    check: faultOf("null"),
    demands: "A value of the type NULL is true.",
    source: `${pageOf.api("AttributeValue, NULL")}; in 2026 some regions began to accept false as true`,
  },
  "number-form": {
    check: faultOf("number"),
    demands: "A number is a decimal, with or without an exponent.",
  },
  "number-range": {
    check: faultOf("number-range"),
    demands: "A number is zero, or its magnitude is at least 1E-130 and less than 1E126.",
    source: pageOf.guide("Constraints, Data types"),
  },
  "number-digits": {
    check: faultOf("number-digits"),
    demands: "A number has at most 38 significant digits.",
    source: pageOf.guide("Constraints, Data types"),
  },
  "set-not-empty": {
    check: faultOf("empty-set"),
    demands: "A set has at least one element.",
  },
  "set-elements-not-null": {
    keptBy: DYNOXIDE,
    check: faultOf("null-in-set"),
    demands: "No element of a set is null.",
    source: `${pageOf.api("AttributeValue")}; the message is known for sets of texts only`,
    endedBy: DYNALITE,
  },
  "set-elements-differ": {
    check: faultOf("repeating-set"),
    demands: "The elements of a set differ.",
  },
  nesting: {
    keptBy: DYNOXIDE,
    check: faultOf("nesting"),
    demands: "A value has at most 32 levels, counting itself and the path at which an update puts it.",
    source: pageOf.guide("Constraints, Attributes"),
  },
  "attribute-name-not-empty": {
    keptBy: NEITHER,
    check: faultOf("name-empty"),
    demands: "The name of an attribute is not empty, in maps as well.",
    source: `${NAMING}; DynamoDB's message is not known, this one is DynamoDB local's`,
  },
  "attribute-name-length": {
    keptBy: NEITHER,
    check: faultOf("name-length"),
    demands: "The name of an attribute has at most 65,535 bytes, in maps as well.",
    source: NAMING,
  },
  "item-size": {
    demands: "An item that is put has at most 400 KB, including the names of its attributes.",
    source: pageOf.guide("DynamoDB item sizes and formats"),
    operations: ["BatchWriteItem", "PutItem"],
    keptBy: DYNOXIDE,
    check: ({ items }) =>
      items.some(({ attributes }) => itemBytes(attributes) > MAX_ITEM_BYTES)
        ? "Item size has exceeded the maximum allowed size"
        : undefined,
  },
});

function faultOf(kind: ValueFault["kind"]): Rule["check"] {
  return ({ valueFault }) => (valueFault?.kind === kind ? valueFault.message : undefined);
}
