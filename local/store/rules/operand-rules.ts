import { ownMember } from "../../../lib/own-member.ts";
import type { FunctionNode, Node, OperationNode } from "../expression/syntax-tree.ts";
import { firstFault } from "../first-fault.ts";
import { compareValues, contentOf, dataTypeOf, textOf } from "../value/attribute-value.ts";
import { inExpressions, inNodes } from "./expression-rules.ts";
import { type ExpressionScope, shownPath } from "./expression-scope.ts";
import { CONDITION_OPERATIONS, DYNALITE, NEITHER, pageOf, type Rule, rulesWith } from "./rule.ts";

/** How many operands each function takes. */
const FUNCTIONS = {
  condition: new Map([
    ["attribute_exists", 1],
    ["attribute_not_exists", 1],
    ["attribute_type", 2],
    ["begins_with", 2],
    ["contains", 2],
    ["size", 1],
  ]),
  update: new Map([
    ["if_not_exists", 2],
    ["list_append", 2],
  ]),
  projection: new Map<string, number>(),
};
const OF_PATHS: ReadonlySet<string> = new Set(["attribute_exists", "attribute_not_exists", "if_not_exists"]);
const JOINING: ReadonlySet<string> = new Set(["AND", "OR", "NOT"]);
const COMPARING: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);
const TYPE_NAMES = "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}";

/** The types of values that operators and functions take. One that is not listed takes any type. */
const TAKES: Readonly<Record<string, string>> = {
  "<": "S N B",
  "<=": "S N B",
  ">": "S N B",
  ">=": "S N B",
  BETWEEN: "S N B",
  begins_with: "S B",
  size: "S B SS NS BS L M",
  "+": "N",
  "-": "N",
  list_append: "L",
};

/** The names of types in messages about `ADD` and `DELETE`. */
const LONG_TYPE_NAMES: Partial<Record<string, string>> = {
  S: "STRING",
  N: "NUMBER",
  B: "BINARY",
  NULL: "NULL",
  BOOL: "BOOLEAN",
  L: "LIST",
  M: "MAP",
};

type Operation = FunctionNode | OperationNode;

const OPERATIONS = ["function", "operation"] as const;

const FUNCTIONS_PAGE = pageOf.guide("Condition and filter expressions, operators, and functions");

/** Rules for the operands of operators and functions. */
export const operandRules: readonly Rule[] = rulesWith({
  operations: CONDITION_OPERATIONS,
  source: FUNCTIONS_PAGE,
})({
  "known-functions": {
    demands: "An expression calls only functions that its kind of expression has.",
    check: inNodes(["function"], ({ name }, _scope, { tree }) =>
      tree !== undefined && !FUNCTIONS[tree.kind].has(name.toLowerCase())
        ? `Invalid function name; function: ${name}`
        : undefined,
    ),
  },
  "function-letter-case": {
    demands: "The name of a function is in lower case.",
    keptBy: DYNALITE,
    check: inNodes(["function"], ({ name }) =>
      name === name.toLowerCase() ? undefined : `Invalid function name; function: ${name}`,
    ),
  },
  "functions-in-place": {
    demands: "`size` is used only as an operand, and any other function of conditions only as a condition.",
    check: inExpressions(({ tree }) =>
      tree?.kind === "condition" ? misuse(tree.root, tree.nodes) : undefined,
    ),
  },
  "operand-count": {
    demands: "A function has the right number of operands.",
    check: inNodes(["function"], ({ name, operands }, _scope, { tree }) => {
      if (tree === undefined || operands.length === FUNCTIONS[tree.kind].get(name)) return undefined;
      return (
        "Incorrect number of operands for operator or function; " +
        `operator or function: ${name}, number of operands: ${operands.length}`
      );
    }),
  },
  "path-operands": {
    demands: "The first operand of a function that asks whether an attribute exists is a path.",
    check: inNodes(["function"], ({ name, operands }) =>
      OF_PATHS.has(name) && operands[0]?.kind !== "path"
        ? `Operator or function requires a document path; operator or function: ${name}`
        : undefined,
    ),
  },
  "distinct-operands": {
    demands: "A path is not compared with itself.",
    source: "no page; DynamoDB's answer as captured from AWS",
    keptBy: DYNALITE,
    check: inNodes(OPERATIONS, (node, scope, { tree }) => {
      const name = nameOf(node);
      if (tree?.kind !== "condition" || node.operands.length !== 2 || JOINING.has(name)) return undefined;
      if (node.kind === "operation" && !COMPARING.has(name)) return undefined;
      const [first, second] = node.operands.map((operand) => shownOperand(operand, scope));
      if (first === undefined || first !== second) return undefined;
      return (
        "The first operand must be distinct from the remaining operands for this operator or function; " +
        `operator: ${name}, first operand: ${first}`
      );
    }),
  },
  "operand-types-of-comparisons": {
    demands: "Values that are compared by order are texts, numbers or binary values.",
    keptBy: NEITHER,
    check: inNodes(OPERATIONS, (node, scope) => (isOrdering(node) ? typeFault(node, scope) : undefined)),
  },
  "operand-types-of-functions": {
    demands:
      "A value that is an operand of a function or a sum has a type that the function or the sum takes.",
    check: inNodes(OPERATIONS, (node, scope) => (isOrdering(node) ? undefined : typeFault(node, scope))),
  },
  "attribute-type-name": {
    demands: "The second operand of `attribute_type` is a value that names a type.",
    keptBy: DYNALITE,
    check: inNodes(["function"], ({ name, operands }, scope) =>
      name === "attribute_type" ? typeNameFault(operands[1], scope) : undefined,
    ),
  },
  "changed-by-add": {
    demands: "`ADD` takes a number or a set.",
    source: pageOf.guide("Using update expressions, ADD"),
    operations: ["UpdateItem"],
    check: actionFault("ADD", "N SS NS BS"),
  },
  "changed-by-delete": {
    demands: "`DELETE` takes a set.",
    source: pageOf.guide("Using update expressions, DELETE"),
    operations: ["UpdateItem"],
    check: actionFault("DELETE", "SS NS BS"),
  },
  "between-bounds": {
    demands: "The bounds of `BETWEEN` have the same type, and the upper is not less than the lower.",
    keptBy: DYNALITE,
    check: inNodes(["operation"], ({ operator, operands }, scope) =>
      operator === "BETWEEN"
        ? boundsFault(scope.valueOf(operands[1]), scope.valueOf(operands[2]))
        : undefined,
    ),
  },
});

const nameOf = (node: Operation): string => (node.kind === "function" ? node.name : node.operator);

/** Whether a node is an operator other than `+` and `-`. Of these, only those that compare by order are in `TAKES`. */
const isOrdering = (node: Operation): boolean =>
  node.kind === "operation" && node.operator !== "+" && node.operator !== "-";

function misuse(root: Node, nodes: readonly Node[]): string | undefined {
  const conditions = new Set<Node>([root]);
  for (const node of nodes) {
    if (node.kind === "operation" && JOINING.has(node.operator)) {
      for (const operand of node.operands) conditions.add(operand);
    }
  }
  return firstFault(nodes, (node) =>
    node.kind === "function" && conditions.has(node) === (node.name === "size")
      ? `The function is not allowed to be used this way in an expression; function: ${node.name}`
      : undefined,
  );
}

function shownOperand(operand: Node, scope: ExpressionScope): string | undefined {
  const path = operand.kind === "path" ? scope.resolve(operand) : undefined;
  return path && shownPath(path);
}

function typeFault(node: Operation, scope: ExpressionScope): string | undefined {
  const name = nameOf(node);
  const taken = ownMember(TAKES, name)?.split(" ");
  if (taken === undefined) return undefined;
  return firstFault(node.operands, (operand) => {
    const type = typeOf(operand, scope);
    if (type === undefined || taken.includes(type)) return undefined;
    return `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`;
  });
}

/** The type of an operand; undefined when it depends on the item. */
function typeOf(operand: Node, scope: ExpressionScope): string | undefined {
  if (operand.kind === "function" && operand.name === "size") return "N";
  return dataTypeOf(scope.valueOf(operand));
}

function typeNameFault(operand: Node | undefined, scope: ExpressionScope): string | undefined {
  const value = scope.valueOf(operand);
  const type = dataTypeOf(value);
  if (type !== "S") {
    const shown = type ?? "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";
    return `Incorrect operand type for operator or function; operator or function: attribute_type, operand type: ${shown}`;
  }
  const named = textOf(value, "S") ?? "";
  if (TYPE_NAMES.slice(1, -1).split(",").includes(named)) return undefined;
  return `Invalid attribute type name found; type: ${named}, valid types: ${TYPE_NAMES}`;
}

function actionFault(section: "ADD" | "DELETE", taken: string): Rule["check"] {
  const types = taken.split(" ");
  return inExpressions(({ tree }, scope) =>
    firstFault(tree?.kind === "update" ? tree.actions : [], (action) => {
      const type = action.section === section ? dataTypeOf(scope.valueOf(action.operand)) : undefined;
      if (type === undefined || types.includes(type)) return undefined;
      return `Incorrect operand type for operator or function; operator: ${section}, operand type: ${LONG_TYPE_NAMES[type]}`;
    }),
  );
}

function boundsFault(lower: unknown, upper: unknown): string | undefined {
  const types = [dataTypeOf(lower), dataTypeOf(upper)] as const;
  if (types[0] === undefined || types[1] === undefined) return undefined;
  const shown =
    `lower bound operand: AttributeValue: ${shownValue(lower)}, ` +
    `upper bound operand: AttributeValue: ${shownValue(upper)}`;
  if (types[0] !== types[1]) {
    return `The BETWEEN operator requires same data type for lower and upper bounds; ${shown}`;
  }
  if ((compareValues(lower, upper) ?? 0) <= 0) return undefined;
  return `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${shown}`;
}

function shownValue(value: unknown): string {
  const type = dataTypeOf(value);
  const content = type && contentOf(value, type);
  return `{${type}:${typeof content === "string" ? content : JSON.stringify(content)}}`;
}
