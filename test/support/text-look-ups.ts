import path from "node:path";
import type { Expression, Node, SourceFile } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";
import { isBinaryExpression, isElementAccessExpression } from "typescript/unstable/ast/is";
import { API, type Checker, type Project, type Type } from "typescript/unstable/sync";

/** Looks up an object's own member by a text, so that nobody else has to. */
const OWNER = "lib/own-member.ts";

/**
 * Every place of a project where a plain object is asked by a text that may be any: `members[name]`, read or written, and
 * `name in members`. Every object has inherited members, so a text of a caller or a file finds some that nobody put there.
 * The compiler's types tell them apart from lists, and from names that are known when the code is written.
 *
 * @param directory where the project's `tsconfig.json` is. @param isWatched whether a file, by its path from there, counts.
 * @returns `<path> <code>` of each.
 */
export function findTextLookUps(directory: string, isWatched: (file: string) => boolean): string[] {
  const compiler = new API({ cwd: directory });
  try {
    using snapshot = compiler.updateSnapshot({ openProjects: [path.join(directory, "tsconfig.json")] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error(`The compiler finds no project in ${directory}.`);
    return lookUpsOf(project, directory, isWatched);
  } finally {
    compiler.close();
  }
}

function lookUpsOf({ program, checker }: Project, directory: string, isWatched: (file: string) => boolean) {
  return program.getSourceFileNames().flatMap((name) => {
    const file = path.relative(directory, name).split(path.sep).join("/");
    const source = file !== OWNER && isWatched(file) ? program.getSourceFile(name) : undefined;
    return source === undefined ? [] : lookUpsIn(source, checker).map((code) => `${file} ${code}`);
  });
}

function lookUpsIn(source: SourceFile, checker: Checker): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    const lookUp = lookUpOf(node);
    if (lookUp !== undefined && mayAskForAnyText(lookUp, checker)) found.push(node.getText(source));
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

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
