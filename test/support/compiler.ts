import path from "node:path";
import type { Node } from "typescript/unstable/ast";
import { API, type Checker, type Project } from "typescript/unstable/sync";

/** What is looked for in a project: in which files, by their paths from its directory, and which parts of their code. */
export interface Search {
  readonly isWatched: (file: string) => boolean;
  readonly isFound: (node: Node, checker: Checker) => boolean;
}

/**
 * Every part of the code that a search picks, by its syntax and the compiler's types. The project is opened once and each
 * file visited once for all searches, since opening it costs more than anything that is asked of it.
 *
 * @param directory where the project's `tsconfig.json` is.
 * @returns `<path> <code>` of each, by the names of the searches.
 */
export function searchCode<Name extends string>(
  directory: string,
  searches: Readonly<Record<Name, Search>>,
): Readonly<Record<Name, readonly string[]>> {
  const compiler = new API({ cwd: directory });
  try {
    using snapshot = compiler.updateSnapshot({ openProjects: [path.join(directory, "tsconfig.json")] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error(`The compiler finds no project in ${directory}.`);
    const running = Object.entries<Search>(searches).map(([name, search]) => ({
      name,
      ...search,
      found: [],
    }));
    for (const file of filesOf(project, directory)) searchFile(project, file, running);
    return Object.fromEntries(running.map(({ name, found }) => [name, found])) as never;
  } finally {
    compiler.close();
  }
}

interface RunningSearch extends Search {
  readonly found: string[];
}

function searchFile(
  { program, checker }: Project,
  { name, file }: ProjectFile,
  searches: readonly RunningSearch[],
): void {
  const watching = searches.filter(({ isWatched }) => isWatched(file));
  const source = watching.length === 0 ? undefined : program.getSourceFile(name);
  if (source === undefined) return;
  const visit = (node: Node): void => {
    for (const { isFound, found } of watching)
      if (isFound(node, checker)) found.push(`${file} ${node.getText(source)}`);
    node.forEachChild(visit);
  };
  visit(source);
}

interface ProjectFile {
  readonly name: string;
  /** Its path from the project's directory. */
  readonly file: string;
}

const filesOf = ({ program }: Project, directory: string): ProjectFile[] =>
  program
    .getSourceFileNames()
    .map((name) => ({ name, file: path.relative(directory, name).split(path.sep).join("/") }));
