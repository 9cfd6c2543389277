import type { Expression, Node } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";
import { isBinaryExpression, isElementAccessExpression } from "typescript/unstable/ast/is";
import type { Checker, Type } from "typescript/unstable/sync";

/** The only file that looks up an object's own member by a text. */
export const LOOK_UP_OWNER = "lib/own-member.ts";

/**
 * Whether a part of the code looks up a member of a plain object by an arbitrary text: `members[name]`, read or written, and
 * `name in members`. Every object has inherited members, so a text from a caller or a file may find one of them. The
 * compiler's types tell these places from look-ups in lists, and from names that are known when the code is written.
 */
export function isTextLookUp(node: Node, checker: Checker): boolean {
  const lookUp = lookUpOf(node);
  return lookUp !== undefined && mayAskForAnyText(lookUp, checker);
}

interface LookUp {
  readonly members: Expression;
  readonly key: Expression;
}

/** The object and the key, if a node looks up a member. */
function lookUpOf(node: Node): LookUp | undefined {
  if (isElementAccessExpression(node)) return { members: node.expression, key: node.argumentExpression };
  const isQuestion = isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword;
  return isQuestion ? { members: node.right, key: node.left } : undefined;
}

function mayAskForAnyText({ members, key }: LookUp, checker: Checker): boolean {
  const type = checker.getTypeAtLocation(key);
  if (type === undefined) return false;
  const isAnyText = (of: Type): boolean => checker.isTypeAssignableTo(checker.getStringType(), of);
  if (isAnyText(type)) return true;
  // The caller chooses the name's type, which may be any text unless the members are named by the same type.
  const [constraint, asked] = [checker.getBaseConstraintOfType(type), checker.getTypeAtLocation(members)];
  return constraint !== undefined && isAnyText(constraint) && asked !== undefined && isOpen(asked, checker);
}

const isOpen = (members: Type, checker: Checker): boolean =>
  checker.typeToString(members) === "any" || checker.getIndexInfosOfType(members).length > 0;
