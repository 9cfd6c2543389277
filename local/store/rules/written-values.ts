import type { Node, PathNode } from "../expression/syntax-tree.ts";
import type { ExpressionScope } from "./expression-scope.ts";

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
