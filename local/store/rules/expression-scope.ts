import type { Members } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { parseCondition } from "../expression/condition.ts";
import { parseProjection } from "../expression/operand.ts";
import type { ExpressionTree, Node, PathNode } from "../expression/syntax-tree.ts";
import { ExpressionSyntaxError } from "../expression/token-reader.ts";
import { parseUpdate } from "../expression/update.ts";
import { membersOf } from "../members.ts";
import type { TableShape } from "../table-shape.ts";
import { textBytes } from "../value/attribute-value.ts";

/** The members that hold expressions, in the order in which DynamoDB reads them. */
export const EXPRESSION_PARAMETERS = [
  "UpdateExpression",
  "ConditionExpression",
  "KeyConditionExpression",
  "FilterExpression",
  "ProjectionExpression",
] as const;

export type ExpressionParameter = (typeof EXPRESSION_PARAMETERS)[number];

export const MAX_EXPRESSION_BYTES = 4096;

/** An attribute's path with its aliases resolved. */
export type DocumentPath = readonly (string | number)[];

export interface WrittenExpression {
  readonly parameter: ExpressionParameter;
  readonly text: string;
  /** Undefined when the text is empty, too long, or not in the right syntax. */
  readonly tree: ExpressionTree | undefined;
  readonly syntaxFault: string | undefined;
}

/** Expressions that share names and values: those of a request, or those of one table of a batch. */
export class ExpressionScope {
  readonly members: Members;
  /** The shape of the table that the expressions are about; undefined for an unknown table. */
  readonly table: TableShape | undefined;
  readonly expressions: readonly WrittenExpression[];
  readonly names: Members | undefined;
  readonly values: Members | undefined;

  constructor(members: Members, table: TableShape | undefined, parameters: readonly ExpressionParameter[]) {
    this.members = members;
    this.table = table;
    this.names = membersOf(members.ExpressionAttributeNames);
    this.values = membersOf(members.ExpressionAttributeValues);
    this.expressions = parameters.flatMap((parameter) => {
      const text = members[parameter];
      return typeof text === "string" ? [written(parameter, text)] : [];
    });
  }

  /** The tree of an expression; undefined when the expression is missing, or has no tree. */
  tree(parameter: ExpressionParameter): ExpressionTree | undefined {
    return this.expressions.find((expression) => expression.parameter === parameter)?.tree;
  }

  /** The path that a node names; undefined when one of its aliases is not defined. */
  resolve({ steps }: PathNode): DocumentPath | undefined {
    const path: (string | number)[] = [];
    for (const step of steps) {
      const resolved = typeof step === "string" && step.startsWith("#") ? ownMember(this.names, step) : step;
      if (typeof resolved !== "string" && typeof resolved !== "number") return undefined;
      path.push(resolved);
    }
    return path;
  }

  /** The attribute at which a path begins; undefined when its alias is not defined. */
  attribute(path: PathNode): string | undefined {
    const first = path.steps[0] as string;
    const name = first.startsWith("#") ? ownMember(this.names, first) : first;
    return typeof name === "string" ? name : undefined;
  }

  /** The value that a node stands for; undefined for other nodes, and for a placeholder that is not defined. */
  valueOf(node: Node | undefined): unknown {
    return node?.kind === "value" ? ownMember(this.values, node.placeholder) : undefined;
  }
}

/** Expressions that were parsed lately, because programs send a few texts again and again. */
const known = new Map<string, WrittenExpression>();
const MAX_KNOWN = 1000;
/** How many characters the known texts have, and may have: a tree takes much more memory than its text. */
let knownLength = 0;
const MAX_KNOWN_LENGTH = 250_000;

function written(parameter: ExpressionParameter, text: string): WrittenExpression {
  const none = { parameter, text, tree: undefined, syntaxFault: undefined };
  // A text that is too long is not kept, because it may be as long as a request.
  if (text === "" || textBytes(text) > MAX_EXPRESSION_BYTES) return none;
  const key = `${parameter} ${text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const expression = read(none);
  if (known.size >= MAX_KNOWN || knownLength + text.length > MAX_KNOWN_LENGTH) {
    known.clear();
    knownLength = 0;
  }
  known.set(key, expression);
  knownLength += text.length;
  return expression;
}

function read(unread: WrittenExpression): WrittenExpression {
  try {
    return { ...unread, tree: parse(unread.parameter, unread.text) };
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return { ...unread, syntaxFault: error.message };
    throw error;
  }
}

function parse(parameter: ExpressionParameter, text: string): ExpressionTree {
  if (parameter === "UpdateExpression") return parseUpdate(text);
  return parameter === "ProjectionExpression" ? parseProjection(text) : parseCondition(text);
}

/** A path as DynamoDB's messages show it. */
export const shownPath = (path: DocumentPath): string =>
  `[${path.map((step) => (typeof step === "number" ? `[${step}]` : step)).join(", ")}]`;

/** A value of a request that an update may put at a path. */
export interface WrittenValue {
  readonly path: PathNode;
  readonly value: unknown;
}

/**
 * The values that an update sets, directly or through a function. Which operand `if_not_exists` yields depends on the
 * item, so each of its operands must be a value that the path may have.
 */
export function writtenValues(scope: ExpressionScope): readonly WrittenValue[] {
  const tree = scope.tree("UpdateExpression");
  if (tree?.kind !== "update") return [];
  return tree.actions
    .filter(({ section }) => section === "SET")
    .flatMap(({ path, operand }) => becoming(operand, scope).map((value) => ({ path, value })));
}

function becoming(operand: Node | undefined, scope: ExpressionScope): readonly unknown[] {
  if (operand?.kind === "function") return operand.operands.flatMap((each) => becoming(each, scope));
  const value = scope.valueOf(operand);
  return value === undefined ? [] : [value];
}
