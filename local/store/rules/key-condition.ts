import type { Comparator, Node, OperationNode, PathNode } from "../expression/syntax-tree.ts";
import { compareValues, contentOf, dataTypeOf, textOf } from "../value/attribute-value.ts";
import type { ExpressionScope } from "./expression-scope.ts";

type Ordering = Exclude<Comparator, "<>">;

/** A condition on one key attribute, with the attribute on the left. */
export interface KeyCondition {
  readonly attribute: string;
  readonly operator: Ordering | "BETWEEN" | "begins_with";
  readonly values: readonly unknown[];
}

/** Each comparator when its operands are swapped. */
const MIRRORED: Partial<Record<string, Ordering>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=" };

/** Whether a comparator holds, by the sign of the order of its operands. */
const HOLDS: Readonly<Record<Ordering, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** The conditions that `AND` joins. */
export function joined(node: Node): readonly Node[] {
  return node.kind === "operation" && node.operator === "AND" ? node.operands.flatMap(joined) : [node];
}

/** Reads a condition on a key; undefined when the node has another form. */
export function keyConditionOf(node: Node, scope: ExpressionScope): KeyCondition | undefined {
  if (node.kind !== "operation" && node.kind !== "function") return undefined;
  const at = node.operands.findIndex(({ kind }) => kind === "path");
  const path = node.operands[at] as PathNode | undefined;
  const attribute = path?.steps.length === 1 ? scope.attribute(path) : undefined;
  const operator = operatorOf(node, at);
  if (attribute === undefined || operator === undefined) return undefined;
  const values = node.operands.filter((_, index) => index !== at).map((operand) => scope.valueOf(operand));
  return values.includes(undefined) ? undefined : { attribute, operator, values };
}

function operatorOf(node: Node, at: number): KeyCondition["operator"] | undefined {
  if (node.kind === "function") return node.name === "begins_with" && at === 0 ? "begins_with" : undefined;
  const { operator } = node as OperationNode;
  if (operator === "BETWEEN") return at === 0 ? operator : undefined;
  const mirrored = MIRRORED[operator];
  return at === 0 && mirrored !== undefined ? (operator as Ordering) : mirrored;
}

/** Whether a condition selects a key's value. */
export function selects({ operator, values }: KeyCondition, value: unknown): boolean {
  if (operator === "begins_with") return beginsWith(value, values[0]);
  const order = compareValues(value, values[0]);
  if (order === undefined) return false;
  if (operator === "BETWEEN") return order >= 0 && (compareValues(value, values[1]) ?? 1) <= 0;
  return HOLDS[operator](order);
}

function beginsWith(value: unknown, beginning: unknown): boolean {
  const type = dataTypeOf(beginning);
  const [text, start] = [type && textOf(value, type), type && contentOf(beginning, type)];
  if (typeof text !== "string" || typeof start !== "string") return false;
  const encoding = type === "B" ? "base64" : "utf8";
  const prefix = Buffer.from(start, encoding);
  return Buffer.from(text, encoding).subarray(0, prefix.length).equals(prefix);
}
