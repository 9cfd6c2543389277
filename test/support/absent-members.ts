import type { Node } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";
import {
  isBinaryExpression,
  isConditionalExpression,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isSpreadAssignment,
} from "typescript/unstable/ast/is";
import type { Checker } from "typescript/unstable/sync";

/**
 * Whether a part of the code leaves out a member of an object in another way than `...(value !== undefined && { value })`: by
 * the choice of an empty object, or by a value that is taken for false. The latter also leaves out `""`, 0 and null.
 */
export const isOtherAbsence = (node: Node, checker: Checker): boolean =>
  isChoiceOfNothing(node) || isSpreadValue(node, checker);

/** `value === undefined ? {} : { value }`, and any other choice of nothing that is spread. */
function isChoiceOfNothing(node: Node): boolean {
  if (!isConditionalExpression(node)) return false;
  const { condition, whenTrue, whenFalse } = node;
  const isAbsence = isBinaryExpression(condition) && condition.right.getText() === "undefined";
  return (isAbsence || isSpread(node)) && [whenTrue, whenFalse].some(isEmptyObject);
}

const isEmptyObject = (node: Node): boolean =>
  isObjectLiteralExpression(node) && node.properties.length === 0;

const isSpread = ({ parent }: Node): boolean =>
  isParenthesizedExpression(parent) ? isSpread(parent) : isSpreadAssignment(parent);

/** `...(value && { value })`, where the value is not a condition. */
function isSpreadValue(node: Node, checker: Checker): boolean {
  if (!isSpreadAssignment(node)) return false;
  const spread = isParenthesizedExpression(node.expression) ? node.expression.expression : node.expression;
  if (!isBinaryExpression(spread) || spread.operatorToken.kind !== SyntaxKind.AmpersandAmpersandToken)
    return false;
  const type = checker.getTypeAtLocation(spread.left);
  return type === undefined || !/^(?:boolean|true|false)(?: \| undefined)?$/.test(checker.typeToString(type));
}
