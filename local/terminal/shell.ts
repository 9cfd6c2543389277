import { printable } from "../../lib/printable.ts";
import { commands } from "../installation.ts";
import type { Environment } from "./option-parsers.ts";
import { shQuoted } from "./sh-quoted.ts";

/** The shells whose lines we print. */
export const SHELLS = ["sh", "powershell", "cmd"] as const;

export type ShellName = (typeof SHELLS)[number];

/**
 * A word of a command line: a text, or the output of an `npm run ops` command, as one word after a text or as the words
 * that it consists of. A line has at most one output.
 */
export type Word =
  | string
  | { readonly after: string; readonly output: OpsWords }
  | { readonly split: OpsWords };

/** The words of an `npm run ops` command, without those that run it. */
type OpsWords = readonly string[];

/** Writes a curl command as a line that a person can paste. */
export type WriteCurl = (words: readonly Word[]) => string;

/** The line of a curl command for a shell on a platform. */
export function curlWriter(shell: ShellName, platform: NodeJS.Platform = process.platform): WriteCurl {
  // Windows PowerShell takes `curl` for a command of its own.
  const program = platform === "win32" ? "curl.exe" : "curl";
  return (words) => WRITERS[shell](program, words);
}

const WRITERS: Readonly<Record<ShellName, (program: string, words: readonly Word[]) => string>> = {
  sh: (program, words) =>
    [program, ...words.map((word) => wordFor(word, shWord, (split) => `$(${shRun(split)})`, shAfter))].join(
      " ",
    ),
  powershell: (program, words) =>
    [
      program,
      ...words.map((word) =>
        wordFor(word, powershellWord, (split) => `((${nodeRun(split)}) -split ' ')`, powershellAfter),
      ),
    ].join(" "),
  cmd: cmdLine,
};

/**
 * The shell whose terminal a process was started from. PowerShell and the POSIX shells of Windows set variables of their
 * own for their children.
 */
export function shellOf(environment: Environment, platform: NodeJS.Platform): ShellName {
  if (environment.MSYSTEM) return "sh";
  const places = (environment.PSModulePath ?? "").split(platform === "win32" ? ";" : ":");
  if (platform !== "win32") return environment.PSModulePath ? "powershell" : "sh";
  // Windows sets the variable for every program, to at most two places; PowerShell puts the user's before them.
  return places.length > 2 ? "powershell" : "cmd";
}

function wordFor(
  word: Word,
  literal: (text: string) => string,
  split: (words: OpsWords) => string,
  after: (text: string, words: OpsWords) => string,
): string {
  if (typeof word === "string") return literal(word);
  return "split" in word ? split(word.split) : after(word.after, word.output);
}

/** Characters that stand for themselves in every shell. */
const PLAIN = /^[A-Za-z0-9_-]+$/;

const plainOr =
  (quoted: (text: string) => string) =>
  (text: string): string =>
    PLAIN.test(text) ? text : quoted(text);

const shWord = plainOr(shQuoted);

const shAfter = (text: string, words: OpsWords): string => `${shQuoted(text)}"$(${shRun(words)})"`;

const shRun = (words: OpsWords): string => [...commands.fromAnywhere.sh, ...words].map(shWord).join(" ");

// The lines of PowerShell and cmd were never run by these shells: tests hold them to the rules by which both read a line.

/** PowerShell takes the typographic single quotes for single quotes, too. */
export const powershellQuoted = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;

const powershellWord = plainOr(powershellQuoted);

const powershellAfter = (text: string, words: OpsWords): string =>
  `(${powershellQuoted(text)} + (${nodeRun(words)}))`;

/** npm is a script on Windows, which loses `--` in PowerShell and quotes in cmd, so Node.js is called directly. */
const nodeWords = (words: OpsWords): readonly string[] => [...commands.fromAnywhere.direct, ...words];

const nodeRun = (words: OpsWords): string => `& ${nodeWords(words).map(powershellWord).join(" ")}`;

/**
 * A word for a program that cmd starts: in double quotes, as the C runtime reads them. A quote is doubled, so that cmd
 * stays within quotes as well. A `%` stays, because cmd leaves it at a prompt unless it begins a variable's name.
 */
export const cmdQuoted = (text: string): string =>
  `"${text.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, "$&$&")}"`;

const cmdWord = plainOr(cmdQuoted);

const QUOTED: Readonly<Record<ShellName, (text: string) => string>> = {
  sh: shQuoted,
  powershell: powershellQuoted,
  cmd: cmdQuoted,
};

/** On these, one of the shells acts between double quotes. */
const ACTED_ON = /["$`%!\u201c-\u201e\r\n]|\\\\|\\$/;

/**
 * The option that names a data directory in a command to paste, after a space; empty for the default directory. It has
 * no character that a terminal acts on.
 */
export function dataOption(dataDir: string, defaultDataDir: string, shell: ShellName): string {
  if (dataDir === defaultDataDir) return "";
  // The line may be pasted into another shell than the one that is known here: all read double quotes alike.
  const path = printable(dataDir);
  return ` --data ${ACTED_ON.test(path) ? QUOTED[shell](path) : `"${path}"`}`;
}

/** cmd has no substitution; `for /f` runs a command for each line of another's output. */
function cmdLine(program: string, words: readonly Word[]): string {
  const output = words.find((word) => typeof word !== "string");
  const line = [
    program,
    ...words.map((word) =>
      wordFor(
        word,
        cmdWord,
        () => "%i",
        (text) => cmdQuoted(`${text}%i`),
      ),
    ),
  ];
  if (output === undefined) return line.join(" ");
  const command = nodeWords("split" in output ? output.split : output.output)
    .map(cmdWord)
    .join(" ");
  // Before it runs the command, cmd removes the first and the last quote.
  return `for /f "usebackq delims=" %i in (\`"${command}"\`) do @${line.join(" ")}`;
}
