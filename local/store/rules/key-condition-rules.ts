import type { FunctionNode, Node, OperationNode, PathNode } from "../expression/syntax-tree.ts";
import { firstFault } from "../first-fault.ts";
import { type KeyAttribute, keyAttributes } from "../table-shape.ts";
import { dataTypesOf } from "../value/attribute-value.ts";
import { joined, type KeyCondition } from "./key-condition.ts";
import { emptyFault, hasType, lengthFault } from "./key-value.ts";
import type { RequestAnalysis } from "./request-analysis.ts";
import { DYNALITE, INVALID, NEITHER, pageOf, type Rule, rulesWith } from "./rule.ts";

const PAGE = pageOf.guide("Key condition expressions for the Query operation");
const REFUSED_OPERATORS: ReadonlySet<string> = new Set(["OR", "NOT", "IN", "<>"]);
const MALFORMED = "Invalid condition in KeyConditionExpression: ";

/** Rules for the key conditions of a query. */
export const keyConditionFormRules: readonly Rule[] = rulesWith({ operations: ["Query"], source: PAGE })({
  "key-condition-present": {
    demands: "A query has key conditions.",
    source: pageOf.api("Query, KeyConditionExpression"),
    check: ({ input: { KeyConditionExpression: expression, KeyConditions: legacy } }) =>
      (expression ?? legacy ?? undefined) === undefined
        ? "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
        : undefined,
  },
  "key-condition-operators": {
    demands: "Key conditions use `=`, `<`, `<=`, `>`, `>=`, `BETWEEN` and `begins_with`, joined by `AND`.",
    check: ({ scope }) => firstFault(scope.tree("KeyConditionExpression")?.nodes ?? [], operatorFault),
  },
  "key-condition-attributes": {
    demands: "Each key condition compares one key attribute, not a path into one, with values.",
    check: ({ scope }) => {
      const tree = scope.tree("KeyConditionExpression");
      return tree?.kind === "condition" ? firstFault(joined(tree.root), formFault) : undefined;
    },
  },
  "key-condition-once": {
    demands: "A key attribute has at most one condition.",
    check: ({ keyConditions = [] }) => {
      const seen = new Set<string>();
      return firstFault(keyConditions, ({ attribute }) => {
        if (seen.has(attribute)) return "KeyConditionExpressions must only contain one condition per key";
        seen.add(attribute);
        return undefined;
      });
    },
  },
  "key-condition-count": {
    demands: "A query has one or two key conditions.",
    check: ({ keyConditions = [] }) =>
      keyConditions.length > 2 ? "Conditions can be of length 1 or 2 only" : undefined,
  },
});

/** Rules for the key conditions of a query that need the table's shape. */
export const shapedKeyConditionRules: readonly Rule[] = rulesWith({ operations: ["Query"], source: PAGE })({
  "key-condition-keys": {
    demands: "The partition key has a condition, and beside it only the sort key may have one.",
    check: ({ keyConditions, readKeys }) => {
      if (keyConditions === undefined || readKeys === undefined) return undefined;
      if (readKeys.sort === undefined && keyConditions.length > 1) return "Query key condition not supported";
      const asked = keyAttributes(readKeys).slice(0, Math.max(keyConditions.length, 1));
      const missed = asked.find(({ name }) => !keyConditions.some(({ attribute }) => attribute === name));
      return missed && `Query condition missed key schema element: ${missed.name}`;
    },
  },
  "partition-equality": {
    demands: "The condition on the partition key is an equality.",
    check: inKeys(({ operator }, { isPartition }) =>
      isPartition && operator !== "=" ? "Query key condition not supported" : undefined,
    ),
  },
  "key-condition-types": {
    demands: "The values of a condition on a key have the key's type.",
    keptBy: DYNALITE,
    check: inKeys(({ values }, { key }) =>
      values.every((value) => dataTypesOf(value).length !== 1 || hasType(value, key))
        ? undefined
        : `${INVALID}Condition parameter type does not match schema type`,
    ),
  },
  "key-condition-not-empty": {
    demands: "A key is not compared with an empty value.",
    source: `${pageOf.guide("Constraints, Partition keys and sort keys")}; DynamoDB's answer as captured from AWS, for equality`,
    keptBy: NEITHER,
    check: inKeys(({ attribute, operator, values }) =>
      operator === "=" ? emptyFault(values[0], attribute) : undefined,
    ),
  },
  "key-condition-length": {
    demands: "A partition key is compared with at most 2,048 bytes, a sort key with at most 1,024.",
    source: pageOf.guide("Constraints, Partition keys and sort keys"),
    keptBy: NEITHER,
    check: inKeys(({ values }, { isPartition }) =>
      firstFault(values, (value) => lengthFault(value, isPartition)),
    ),
  },
});

const refusedOperator = (operator: string): string =>
  `Invalid operator used in KeyConditionExpression: ${operator}`;

function operatorFault(node: Node): string | undefined {
  if (node.kind === "operation" && REFUSED_OPERATORS.has(node.operator))
    return refusedOperator(node.operator);
  if (node.kind !== "function" || node.name === "begins_with") return undefined;
  return node.name === "size"
    ? "KeyConditionExpressions cannot contain nested operations"
    : refusedOperator(node.name);
}

interface KeyPlace {
  readonly key: KeyAttribute;
  readonly isPartition: boolean;
}

/** Makes a check of each condition together with the key attribute that it is about. */
function inKeys(fault: (condition: KeyCondition, place: KeyPlace) => string | undefined): Rule["check"] {
  return ({ keyConditions = [], readKeys }: RequestAnalysis) => {
    if (readKeys === undefined) return undefined;
    return firstFault(keyAttributes(readKeys), (key) => {
      const condition = keyConditions.find(({ attribute }) => attribute === key.name);
      return condition && fault(condition, { key, isPartition: key === readKeys.partition });
    });
  };
}

function formFault(node: Node): string | undefined {
  if (node.kind !== "function" && node.kind !== "operation") return undefined;
  const paths = node.operands.filter((operand): operand is PathNode => operand.kind === "path");
  if (firstOperandIsKey(node) && node.operands[0]?.kind !== "path") {
    const name = node.kind === "function" ? node.name : node.operator;
    return `${MALFORMED}${name} operator must have the key attribute as its first operand`;
  }
  if (paths.length > 1) return `${MALFORMED}Multiple attribute names used in one condition`;
  if (paths.length === 0) return `${MALFORMED}No key attribute specified`;
  return paths[0] !== undefined && paths[0].steps.length > 1
    ? "KeyConditionExpressions cannot have conditions on nested attributes"
    : undefined;
}

const firstOperandIsKey = (node: FunctionNode | OperationNode): boolean =>
  node.kind === "function" || node.operator === "BETWEEN";
