import path from "node:path";
import type { Node } from "typescript/unstable/ast";
import { API, type Checker, type Project } from "typescript/unstable/sync";

/** Which files of a project are looked at: where its `tsconfig.json` is, and which paths from there count. */
export interface WatchedFiles {
  readonly directory: string;
  readonly isWatched: (file: string) => boolean;
}

/**
 * Every part of a project's code that `isFound` picks, by its syntax and the compiler's types.
 *
 * @returns `<path> <code>` of each.
 */
export function searchCode(
  { directory, isWatched }: WatchedFiles,
  isFound: (node: Node, checker: Checker) => boolean,
): string[] {
  const compiler = new API({ cwd: directory });
  try {
    using snapshot = compiler.updateSnapshot({ openProjects: [path.join(directory, "tsconfig.json")] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error(`The compiler finds no project in ${directory}.`);
    const files = filesOf(project, directory).filter(({ file }) => isWatched(file));
    return files.flatMap(({ name, file }) => {
      const source = project.program.getSourceFile(name);
      const found: string[] = [];
      const visit = (node: Node): void => {
        if (isFound(node, project.checker)) found.push(`${file} ${node.getText(source)}`);
        node.forEachChild(visit);
      };
      if (source !== undefined) visit(source);
      return found;
    });
  } finally {
    compiler.close();
  }
}

const filesOf = ({ program }: Project, directory: string) =>
  program
    .getSourceFileNames()
    .map((name) => ({ name, file: path.relative(directory, name).split(path.sep).join("/") }));
