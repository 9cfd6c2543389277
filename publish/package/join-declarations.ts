/** A statement at the top of a declaration file, with the comment before it. */
interface Statement {
  readonly text: string;
  /** The name that it declares; undefined for imports and exports of others. */
  readonly name: string | undefined;
}

const BEGIN = /^(?:\/\*\*|(?:export|import|declare|interface|type|class|enum)\b)/;
const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract class|interface|type|class|const|function|enum) ([\w$]+)/m;
const COMMENT = /\/\*\*.*?\*\//gs;

/** A world is disposable, which programs of an older target do not know by themselves. */
const LIBRARY = '/// <reference lib="esnext.disposable" />';

/**
 * One declaration file that needs no other, from those that the compiler writes, by their paths: what the entry exports,
 * and all that these declarations mention. A package with dependencies' types in its own would need the dependencies.
 *
 * @throws {Error} when two files declare a name that is needed: one of them has to be renamed.
 */
export function joinDeclarations(files: Readonly<Record<string, string>>, entry: string): string {
  const statements = Object.values(files).flatMap(statementsOf);
  const exported = exportedNames(files, entry);
  const needed = new Map<string, Statement>();
  const waiting = [...exported];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (needed.has(name)) continue;
    const [statement, second] = statements.filter((other) => other.name === name);
    if (statement === undefined) continue;
    if (second !== undefined && second.text !== statement.text)
      throw new Error(`Two declarations have the name ${name}; the package's types need it once.`);
    needed.set(name, statement);
    waiting.push(...wordsOf(statement.text));
  }
  const texts = [...needed].map(([name, { text }]) => withExport(text, exported.has(name)));
  return `${LIBRARY}\n${texts.join("\n")}\nexport {};\n`;
}

function statementsOf(file: string): readonly Statement[] {
  const texts: string[][] = [];
  let isAfterComment = false;
  for (const line of file.split("\n")) {
    if (BEGIN.test(line) && !isAfterComment) texts.push([]);
    texts.at(-1)?.push(line);
    // A comment belongs to the statement that follows it.
    isAfterComment = /^(?:\/\*\*| ).*\*\/$/.test(line);
  }
  return texts.map((lines) => {
    const text = lines.join("\n").trimEnd();
    return { text, name: DECLARED.exec(text.replace(COMMENT, ""))?.[1] };
  });
}

/** The names that a file exports: its own, those that it names of another file, and all of another file. */
function exportedNames(files: Readonly<Record<string, string>>, path: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { text, name } of statementsOf(files[path] ?? "")) {
    const code = text.replace(COMMENT, "").trim();
    const [, all] = /^export (?:type )?\* from "(.*)"/.exec(code) ?? [];
    const [, some] = /^export (?:type )?\{([^}]*)\}/.exec(code) ?? [];
    if (all !== undefined)
      for (const other of exportedNames(files, declarationPath(path, all))) names.add(other);
    for (const other of some?.split(",") ?? []) if (other.trim() !== "") names.add(other.trim());
    if (name !== undefined && code.startsWith("export ")) names.add(name);
  }
  return names;
}

const declarationPath = (from: string, written: string): string =>
  new URL(written.replace(/\.ts$/, ".d.ts"), `file:///${from}`).pathname.slice(1);

const wordsOf = (text: string): readonly string[] => text.replace(COMMENT, "").match(/[\w$]+/g) ?? [];

const withExport = (text: string, isExported: boolean): string =>
  text.replace(
    /^(?:export )?(?=(?:declare |abstract |interface |type |class |const |function |enum ))/m,
    () => (isExported ? "export " : ""),
  );
