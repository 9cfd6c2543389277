import type { Expression, Node } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";
import { isBinaryExpression, isElementAccessExpression } from "typescript/unstable/ast/is";
import type { Checker, Type } from "typescript/unstable/sync";
import { searchCode, type WatchedFiles } from "./compiler.ts";

/** Looks up an object's own member by a text, so that nobody else has to. */
const OWNER = "lib/own-member.ts";

/**
 * Every place of a project where a plain object is asked by a text that may be any: `members[name]`, read or written, and
 * `name in members`. Every object has inherited members, so a text of a caller or a file finds some that nobody put there.
 * The compiler's types tell them apart from lists, and from names that are known when the code is written.
 *
 * @returns `<path> <code>` of each.
 */
export const findTextLookUps = ({ directory, isWatched }: WatchedFiles): string[] =>
  searchCode({ directory, isWatched: (file) => file !== OWNER && isWatched(file) }, (node, checker) => {
    const lookUp = lookUpOf(node);
    return lookUp !== undefined && mayAskForAnyText(lookUp, checker);
  });

interface LookUp {
  readonly members: Expression;
  readonly key: Expression;
}

/** What is asked, and by what, if a node looks up a member at all. */
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
  // A name of a type that the caller chooses: it may be any text, unless the members are named by the same type.
  const [constraint, asked] = [checker.getBaseConstraintOfType(type), checker.getTypeAtLocation(members)];
  return constraint !== undefined && isAnyText(constraint) && asked !== undefined && isOpen(asked, checker);
}

const isOpen = (members: Type, checker: Checker): boolean =>
  checker.typeToString(members) === "any" || checker.getIndexInfosOfType(members).length > 0;
