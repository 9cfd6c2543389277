import { globSync, readFileSync } from "node:fs";

/** A block of a shell in a document, without the indentation of a list. */
export interface PrintedScript {
  readonly document: string;
  readonly script: string;
}

const GENERATED = "docs/commands.md";

/** README.md and the documents, without the page that the program itself writes: its examples are those of the help. */
const documents = ["README.md", ...globSync("docs/*.md").toSorted()].filter((file) => file !== GENERATED);

/** Every block of a shell that a reader may paste. */
export const printedScripts = (): PrintedScript[] =>
  documents.flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/^( *)```(?:sh|bash|shell|console)\n(.*?)^ *```$/gms)].map(
      ([, indent = "", script = ""]) => ({
        document,
        script: script.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      }),
    ),
  );

/** The lines of a script, each with the lines that it goes on with; comments and empty lines are left out. */
export const linesOf = (script: string): string[] =>
  script
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

const OPERATORS = /^(?:npm run (?:--silent )?(?:ops|(compare)) -- |npx countinghouse )/;

/** The words after the program's name of an operator's command; undefined for another program's line. */
export function operatorsPart(line: string): string | undefined {
  const [start, compare] = OPERATORS.exec(line) ?? [];
  return start === undefined
    ? undefined
    : `${compare === undefined ? "" : "compare "}${line.slice(start.length)}`;
}
