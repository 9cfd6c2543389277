import { ownMember } from "../../../lib/own-member.ts";
import type { Node, PathNode } from "../expression/syntax-tree.ts";
import { firstFault } from "../first-fault.ts";
import { isGiven, listOf, membersOf } from "../members.ts";
import { STORE_OPERATIONS } from "../wire.ts";
import { REQUESTS, STRUCTURES } from "./api-types.ts";
import type { DocumentPath, ExpressionScope } from "./expression-scope.ts";
import type { RequestAnalysis } from "./request-analysis.ts";
import {
  CONDITION_OPERATIONS,
  DYNALITE,
  DYNOXIDE,
  EXPRESSION_OPERATIONS,
  NEITHER,
  pageOf,
  type Rule,
  rulesWith,
} from "./rule.ts";

/** The legacy parameters, which expressions replace. */
const LEGACY = [
  "AttributesToGet",
  "AttributeUpdates",
  "ConditionalOperator",
  "Expected",
  "KeyConditions",
  "QueryFilter",
  "ScanFilter",
];

/** The name of an object's prototype in JavaScript, under which the embedded engine keeps no attribute. */
const PROTO = "__proto__";

/** Rules against requests that DynamoDB takes, but that would escape a rule, lose data or end an engine here. */
export const ownRules: readonly Rule[] = rulesWith({ operations: STORE_OPERATIONS })({
  "no-legacy-parameters": {
    demands: "A request has expressions in place of the legacy parameters.",
    source: pageOf.guide("Legacy conditional parameters"),
    operations: EXPRESSION_OPERATIONS,
    keptBy: NEITHER,
    check: ({ operation, scopes }) => {
      const types = operation === "BatchGetItem" ? STRUCTURES.KeysAndAttributes : REQUESTS[operation];
      const used = LEGACY.find(
        (name) =>
          Object.hasOwn(types, name) && scopes.some(({ members }) => isGiven(ownMember(members, name))),
      );
      return used && legal(used, "the local store does not hold it to DynamoDB's rules; use expressions");
    },
  },
  "exact-scalars": {
    demands: "Numbers of items and of segments are whole, and booleans are `true` or `false`, not words.",
    source: "no page; DynamoDB's answers as dynalite recorded them",
    keptBy: DYNOXIDE,
    check: ({ typeFault: fault }) => {
      if (fault?.kind === "fraction")
        return legal("A fraction", "the local store does not round it; send a whole number");
      return fault?.kind === "boolean-word"
        ? legal("A word for true or false", "the local store does not read it; send true or false")
        : undefined;
    },
  },
  "no-attribute-called-proto": {
    demands: `No attribute is called \`${PROTO}\`.`,
    source: "dynalite forgets an attribute of this name",
    keptBy: NEITHER,
    check: (request) =>
      request.valueFault?.kind === "name-proto" || namesProto(request)
        ? legal(`An attribute called ${PROTO}`, "the embedded engine would forget it")
        : undefined,
  },
  "values-to-compare-with": {
    demands:
      "The list of `IN` and the upper bound of `BETWEEN` are values, and so is an operand of `begins_with`.",
    source: "dynalite ends, or never answers, when an operand is an attribute that an item lacks",
    operations: CONDITION_OPERATIONS,
    keptBy: NEITHER,
    endedBy: DYNALITE,
    check: ({ scopes }) =>
      firstFault(scopes, ({ expressions }) =>
        firstFault(expressions, ({ tree }) => firstFault(tree?.nodes ?? [], operandFault)),
      ),
  },
  "no-copy-of-what-changes": {
    demands: "An update does not copy a list or a map inside which it changes something.",
    source: "dynalite keeps one value for both, and ends when that value contains itself",
    operations: ["UpdateItem"],
    keptBy: NEITHER,
    endedBy: DYNALITE,
    check: ({ scope }) => copyFault(scope),
  },
  "no-local-indexes": {
    demands: "A table has no local secondary indexes.",
    source: "this project uses none, so the local store knows no rules for them",
    operations: ["CreateTable"],
    keptBy: NEITHER,
    check: ({ input: { LocalSecondaryIndexes: indexes } }) =>
      listOf(indexes).length > 0
        ? legal("A local secondary index", "the local store does not know its rules")
        : undefined,
  },
});

const legal = (what: string, why: string): string => `${what} is legal on DynamoDB, but ${why}.`;

function namesProto({ scopes, input }: RequestAnalysis): boolean {
  const defined = listOf(input.AttributeDefinitions).map((each) => membersOf(each)?.AttributeName);
  return defined.includes(PROTO) || scopes.some(({ names = {} }) => Object.values(names).includes(PROTO));
}

const isValue = ({ kind }: Node): boolean => kind === "value";

function operandFault(node: Node): string | undefined {
  if (node.kind !== "operation" && node.kind !== "function") return undefined;
  const { operands } = node;
  const name = node.kind === "function" ? node.name : node.operator;
  const isSafe =
    (name !== "IN" || operands.slice(1).every(isValue)) &&
    (name !== "BETWEEN" || operands.slice(2).every(isValue)) &&
    (name !== "begins_with" || operands.some(isValue));
  return isSafe
    ? undefined
    : legal(
        `${name} with an operand that is not a value`,
        "it ends the embedded engine when an item lacks the attribute; use a value",
      );
}

function copyFault(scope: ExpressionScope): string | undefined {
  const tree = scope.tree("UpdateExpression");
  if (tree?.kind !== "update") return undefined;
  const changed = tree.actions
    .map(({ path }) => scope.resolve(path) ?? [])
    .filter(({ length }) => length > 1);
  const copied = tree.actions
    .flatMap(({ operand }) => pathsIn(operand))
    .map((path) => scope.resolve(path) ?? []);
  return changed.some((inside) => copied.some((whole) => beginsWith(inside, whole)))
    ? legal("A copy of a value that changes", "the embedded engine keeps one value for both; use two updates")
    : undefined;
}

/** The paths whose values an operand copies; a sum copies none. */
function pathsIn(operand: Node | undefined): readonly PathNode[] {
  if (operand?.kind === "path") return [operand];
  return operand?.kind === "function" ? operand.operands.flatMap(pathsIn) : [];
}

const beginsWith = (path: DocumentPath, start: DocumentPath): boolean =>
  start.length > 0 && start.length < path.length && start.every((step, at) => step === path[at]);
