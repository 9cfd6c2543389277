import type { Members } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { isReserved } from "../expression/reserved-words.ts";
import type { Node } from "../expression/syntax-tree.ts";
import { tokensOf } from "../expression/token-reader.ts";
import { firstFault } from "../first-fault.ts";
import { isGiven } from "../members.ts";
import { textBytes, valueBytes } from "../value/attribute-value.ts";
import { isLongName, LONG_NAME } from "../value/value-fault.ts";
import type { StoreOperation } from "../wire.ts";
import {
  type ExpressionParameter,
  type ExpressionScope,
  MAX_EXPRESSION_BYTES,
  type WrittenExpression,
} from "./expression-scope.ts";
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

const MAX_PLACEHOLDER_BYTES = 255;
const MAX_SUBSTITUTION_BYTES = 2 * 1024 * 1024;
const MAX_OPERATORS = 300;
const MAX_IN_OPERANDS = 100;

/** Makes a check of every expression of a request. Its messages begin with the expression's name. */
export const inExpressions =
  (fault: (expression: WrittenExpression, scope: ExpressionScope) => string | undefined) =>
  ({ scopes }: RequestAnalysis): string | undefined =>
    firstFault(scopes, (scope) =>
      firstFault(scope.expressions, (expression) => {
        const message = fault(expression, scope);
        return message && `Invalid ${expression.parameter}: ${message}`;
      }),
    );

/** Makes a check of every node of one kind or more, in every expression of a request. */
export const inNodes = <Kind extends Node["kind"]>(
  kinds: readonly Kind[],
  fault: (
    node: Extract<Node, { readonly kind: Kind }>,
    scope: ExpressionScope,
    expression: WrittenExpression,
  ) => string | undefined,
) => {
  const isMeant = (node: Node): node is Extract<Node, { readonly kind: Kind }> =>
    kinds.some((kind) => kind === node.kind);
  return inExpressions((expression, scope) =>
    firstFault(expression.tree?.nodes ?? [], (node) =>
      isMeant(node) ? fault(node, scope, expression) : undefined,
    ),
  );
};

const inScopes =
  (fault: (scope: ExpressionScope) => string | undefined) =>
  ({ scopes }: RequestAnalysis): string | undefined =>
    firstFault(scopes, fault);

/** The legacy parameters of each operation, which exclude expressions, in the order in which DynamoDB lists them. */
const LEGACY: Partial<Record<StoreOperation, readonly string[]>> = {
  BatchGetItem: ["AttributesToGet"],
  DeleteItem: ["Expected"],
  GetItem: ["AttributesToGet"],
  PutItem: ["Expected"],
  Query: ["AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"],
  Scan: ["AttributesToGet", "ScanFilter", "ConditionalOperator"],
  UpdateItem: ["AttributeUpdates", "Expected"],
};

/** The order in which DynamoDB lists expressions beside legacy parameters. */
const LISTED: readonly ExpressionParameter[] = [
  "ProjectionExpression",
  "FilterExpression",
  "UpdateExpression",
  "ConditionExpression",
  "KeyConditionExpression",
];

/** Rules for the parameters beside expressions. */
export const besideExpressionRules: readonly Rule[] = rulesWith({ operations: EXPRESSION_OPERATIONS })({
  "expressions-exclude-legacy-parameters": {
    demands: "A request has expressions or the legacy parameters that they replace, not both.",
    source: pageOf.guide("Legacy conditional parameters"),
    check: legacyFault,
  },
  "names-need-expression": {
    demands: "`ExpressionAttributeNames` comes with an expression.",
    source: pageOf.api("all operations with expressions, ExpressionAttributeNames"),
    check: inScopes(({ names, expressions }) =>
      names !== undefined && expressions.length === 0
        ? "ExpressionAttributeNames can only be specified when using expressions"
        : undefined,
    ),
  },
  "values-need-expression": {
    demands: "`ExpressionAttributeValues` comes with an expression that can refer to values.",
    source: pageOf.api("all operations with expressions, ExpressionAttributeValues"),
    operations: CONDITION_OPERATIONS,
    check: ({ operation, scope: { values, expressions } }) => {
      const withValues = VALUE_EXPRESSIONS[operation] ?? [];
      if (values === undefined || expressions.some(({ parameter }) => withValues.includes(parameter))) {
        return undefined;
      }
      const verb = withValues.length > 1 ? "are" : "is";
      return `ExpressionAttributeValues can only be specified when using expressions: ${withValues.join(" and ")} ${verb} null`;
    },
  },
});

/** Rules for the text of expressions, and for the names and values that they refer to. */
export const expressionRules: readonly Rule[] = rulesWith({
  operations: EXPRESSION_OPERATIONS,
  source: pageOf.guide("Constraints, Expression parameters"),
})({
  "names-not-empty": {
    demands: "`ExpressionAttributeNames` is absent or has at least one name.",
    source: "no page; DynamoDB's answer as dynalite recorded it",
    check: inScopes(({ names }) => emptyFault("ExpressionAttributeNames", names)),
  },
  "values-not-empty": {
    demands: "`ExpressionAttributeValues` is absent or has at least one value.",
    source: "no page; DynamoDB's answer as dynalite recorded it",
    operations: CONDITION_OPERATIONS,
    check: inScopes(({ values }) => emptyFault("ExpressionAttributeValues", values)),
  },
  "placeholder-length": {
    demands: "A placeholder of a name or a value has at most 255 bytes.",
    keptBy: NEITHER,
    check: inScopes(({ names, values }) => longFault(names, true) ?? longFault(values, false)),
  },
  "placeholder-form-of-names": {
    demands: "A placeholder of a name is a hash sign followed by letters, digits and underscores.",
    source: pageOf.guide("Expression attribute names (aliases)"),
    check: inScopes(({ names }) => placeholderFault("ExpressionAttributeNames", /^#[0-9a-zA-Z_]+$/, names)),
  },
  "placeholder-form-of-values": {
    demands: "A placeholder of a value is a colon followed by letters, digits and underscores.",
    source: pageOf.guide("Using expression attribute values"),
    operations: CONDITION_OPERATIONS,
    check: inScopes(({ values }) =>
      placeholderFault("ExpressionAttributeValues", /^:[0-9a-zA-Z_]+$/, values),
    ),
  },
  "named-attribute-not-empty": {
    demands: "The name of an attribute is not empty.",
    source: pageOf.guide("Constraints, Naming rules"),
    keptBy: DYNALITE,
    check: inScopes(({ names = {} }) => {
      const alias = Object.keys(names).find((name) => ownMember(names, name) === "");
      return (
        alias && `ExpressionAttributeNames contains invalid value: Empty attribute name for key ${alias}`
      );
    }),
  },
  "named-attribute-length": {
    demands: "The name of an attribute has at most 65,535 bytes.",
    source: pageOf.guide("Constraints, Naming rules"),
    keptBy: NEITHER,
    check: inScopes(({ names = {} }) =>
      Object.values(names).some((name) => typeof name === "string" && isLongName(name))
        ? LONG_NAME
        : undefined,
    ),
  },
  "substitution-total": {
    demands: "All names and values of a request's expressions have at most 2 MB together.",
    source: `${pageOf.guide("Constraints, Expression parameters")}; DynamoDB's message is not known, this one is DynamoDB local's`,
    keptBy: NEITHER,
    check: inScopes(({ names = {}, values = {} }) =>
      substitutionBytes(names, values) > MAX_SUBSTITUTION_BYTES
        ? "ExpressionAttributeValues exceeds max size"
        : undefined,
    ),
  },
  "expression-not-empty": {
    demands: "An expression is absent or not empty.",
    source: "no page; DynamoDB's answer as captured from AWS",
    check: inExpressions(({ text }) => (text === "" ? "The expression can not be empty;" : undefined)),
  },
  "expression-length": {
    demands: "An expression has at most 4 KB.",
    keptBy: DYNOXIDE,
    check: inExpressions(({ text }) => {
      const bytes = textBytes(text);
      if (bytes <= MAX_EXPRESSION_BYTES) return undefined;
      return `Expression size has exceeded the maximum allowed size; expression size: ${bytes}`;
    }),
  },
  "expression-syntax": {
    demands: "An expression follows its grammar.",
    source: pageOf.guide(
      "Condition and filter expressions, operators, and functions; Using update expressions; Using projection expressions",
    ),
    check: inExpressions(({ syntaxFault }) => syntaxFault),
  },
  "written-names-begin-with-a-letter": {
    demands: "An attribute whose name begins with an underscore is named through a placeholder.",
    source: pageOf.guide("Expression attribute names (aliases)"),
    keptBy: NEITHER,
    check: inExpressions(({ text, tree }) =>
      text.includes("_") && tree ? underscoreFault(text) : undefined,
    ),
  },
  "redundant-parentheses": {
    demands: "No pair of parentheses directly encloses another.",
    source: "no page; DynamoDB's answer as captured from AWS",
    operations: CONDITION_OPERATIONS,
    check: inExpressions(({ tree }) =>
      tree?.hasRedundantParentheses ? "The expression has redundant parentheses;" : undefined,
    ),
  },
  "reserved-words": {
    demands: "An attribute whose name is a reserved word is named through a placeholder.",
    source: pageOf.guide("Reserved words in DynamoDB"),
    check: inNodes(["path"], ({ steps }) => {
      const word = steps.find((step): step is string => typeof step === "string" && isReserved(step));
      return word && `Attribute name is a reserved keyword; reserved keyword: ${word}`;
    }),
  },
  "defined-names": {
    demands: "Each placeholder of a name in an expression is defined.",
    source: pageOf.guide("Expression attribute names (aliases)"),
    check: inNodes(["path"], ({ steps }, { names }) => {
      const alias = steps.filter(isAlias).find((step) => !has(names, step));
      return (
        alias &&
        `An expression attribute name used in the document path is not defined; attribute name: ${alias}`
      );
    }),
  },
  "defined-values": {
    demands: "Each placeholder of a value in an expression is defined.",
    source: pageOf.guide("Using expression attribute values"),
    operations: CONDITION_OPERATIONS,
    keptBy: DYNALITE,
    check: inNodes(["value"], ({ placeholder }, { values }) =>
      has(values, placeholder)
        ? undefined
        : `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
    ),
  },
  "operator-count": {
    demands: "An expression has at most 300 operators, including the functions of an update.",
    operations: CONDITION_OPERATIONS,
    keptBy: NEITHER,
    check: inExpressions(({ tree }) => {
      const counts = (kind: string) =>
        kind === "operation" || (kind === "function" && tree?.kind === "update");
      if ((tree?.nodes.length ?? 0) <= MAX_OPERATORS) return undefined;
      const operators = tree?.nodes.filter(({ kind }) => counts(kind)).length ?? 0;
      // DynamoDB stops counting at the first operator that is too many.
      return operators > MAX_OPERATORS
        ? `The expression contains too many operators; operator count: ${MAX_OPERATORS + 1}`
        : undefined;
    }),
  },
  "in-operands": {
    demands: "The list of `IN` has at most 100 operands.",
    operations: CONDITION_OPERATIONS,
    keptBy: NEITHER,
    check: inNodes(["operation"], ({ operator, operands }) => {
      const candidates = operands.length - 1;
      return operator === "IN" && candidates > MAX_IN_OPERANDS
        ? `The IN operator is provided with too many operands; number of operands: ${candidates}`
        : undefined;
    }),
  },
});

/** Rules that DynamoDB applies after it found every single expression sound. */
export const referenceRules: readonly Rule[] = rulesWith({})({
  "used-names": {
    demands: "Each entry of `ExpressionAttributeNames` is used in an expression.",
    source: pageOf.guide("Expression attribute names (aliases)"),
    operations: EXPRESSION_OPERATIONS,
    check: inScopes((scope) =>
      unusedFault("ExpressionAttributeNames", scope.names, scope, (use) =>
        use.kind === "path" ? use.steps.filter(isAlias) : [],
      ),
    ),
  },
  "used-values": {
    demands: "Each entry of `ExpressionAttributeValues` is used in an expression.",
    source: pageOf.guide("Using expression attribute values"),
    operations: CONDITION_OPERATIONS,
    check: inScopes((scope) =>
      unusedFault("ExpressionAttributeValues", scope.values, scope, (use) =>
        use.kind === "value" ? [use.placeholder] : [],
      ),
    ),
  },
});

const VALUE_EXPRESSIONS: Partial<Record<StoreOperation, readonly ExpressionParameter[]>> = {
  DeleteItem: ["ConditionExpression"],
  PutItem: ["ConditionExpression"],
  Query: ["FilterExpression", "KeyConditionExpression"],
  Scan: ["FilterExpression"],
  UpdateItem: ["UpdateExpression", "ConditionExpression"],
};

const isAlias = (step: string | number): step is string => typeof step === "string" && step.startsWith("#");

const has = (members: Members | undefined, name: string): boolean =>
  members !== undefined && Object.hasOwn(members, name);

/** The fault of a word that begins with an underscore, which no word of DynamoDB's grammar does. */
function underscoreFault(text: string): string | undefined {
  const tokens = tokensOf(text);
  const at = tokens.findIndex((token) => token.text.startsWith("_"));
  const [before, token] = [tokens[Math.max(at - 1, 0)], tokens[at]];
  return before && token && `Syntax error; token: "_", near: "${text.slice(before.start, token.end)}"`;
}

function legacyFault({ operation, scopes }: RequestAnalysis): string | undefined {
  const expressions = LISTED.filter((name) =>
    scopes.some(({ members }) => typeof members[name] === "string"),
  );
  if (expressions.length === 0) return undefined;
  const legacy = (LEGACY[operation] ?? []).filter((name) => {
    // `KeyConditions` excludes `KeyConditionExpression` only.
    if (name === "KeyConditions" && !expressions.includes("KeyConditionExpression")) return false;
    return scopes.some(({ members }) => isGiven(ownMember(members, name)));
  });
  if (legacy.length === 0) return undefined;
  return (
    "Can not use both expression and non-expression parameters in the same request: " +
    `Non-expression parameters: {${legacy.join(", ")}} Expression parameters: {${expressions.join(", ")}}`
  );
}

const emptyFault = (member: string, entries: Members | undefined): string | undefined =>
  entries !== undefined && Object.keys(entries).length === 0 ? `${member} must not be empty` : undefined;

function longFault(entries: Members | undefined, isOfNames: boolean): string | undefined {
  return firstFault(Object.keys(entries ?? {}), (key) => {
    const bytes = textBytes(key);
    if (bytes <= MAX_PLACEHOLDER_BYTES) return undefined;
    const member = isOfNames ? "ExpressionAttributeNames" : "ExpressionAttributeValues";
    const size = isOfNames ? ` size of key: ${bytes}` : "";
    return `${member} contains invalid key: The expression attribute map contains a key that is too long;${size}`;
  });
}

const placeholderFault = (member: string, form: RegExp, entries: Members | undefined): string | undefined =>
  firstFault(Object.keys(entries ?? {}), (key) =>
    form.test(key) ? undefined : `${member} contains invalid key: Syntax error; key: "${key}"`,
  );

const nameBytes = (name: unknown): number => (typeof name === "string" ? textBytes(name) : 0);

function substitutionBytes(names: Members, values: Members): number {
  let bytes = 0;
  for (const alias in names) bytes += alias.length + nameBytes(ownMember(names, alias));
  for (const placeholder in values) bytes += placeholder.length + valueBytes(ownMember(values, placeholder));
  return bytes;
}

/** The fault of entries that no expression uses; undefined when an unparsed expression may use them. */
function unusedFault(
  member: string,
  entries: Members | undefined,
  scope: ExpressionScope,
  uses: (node: Node) => readonly string[],
): string | undefined {
  if (entries === undefined || scope.expressions.some(({ tree }) => tree === undefined)) return undefined;
  const unused = new Set(Object.keys(entries));
  for (const { tree } of scope.expressions) {
    for (const node of tree?.nodes ?? []) for (const use of uses(node)) unused.delete(use);
  }
  if (unused.size === 0) return undefined;
  return `Value provided in ${member} unused in expressions: keys: {${[...unused].join(", ")}}`;
}
