import type { Command } from "commander";

/** The text that a command's help has after its options, in its parts. */
export interface HelpParts {
  /** What is said of the command, in paragraphs; one that is indented is a list or a table. */
  readonly paragraphs: readonly string[];
  /** The lines of its examples. */
  readonly examples: readonly string[];
  /** `0 done, 2 not done.` */
  readonly exitCodes: string;
}

/** The help's text after the options. */
function helpAfter(command: Command): string {
  let text = "";
  const writeOut = (part: string): void => {
    text += part;
  };
  command.configureOutput({ writeOut }).outputHelp();
  return text.slice(command.helpInformation().length);
}

const EXAMPLES = /^Examples?:\n/;
const EXIT_CODES = "Exit codes: ";

/** Reads the parts of a command's help. */
export function helpParts(command: Command): HelpParts {
  const parts = helpAfter(command)
    .trim()
    .split(/\n{2,}/);
  const examples = parts.find((part) => EXAMPLES.test(part));
  const exitCodes = parts.find((part) => part.startsWith(EXIT_CODES));
  return {
    paragraphs: parts.filter((part) => part !== examples && part !== exitCodes),
    examples: (examples ?? "").replace(EXAMPLES, "").replace(/^ {2}/gm, "").split("\n"),
    exitCodes: (exitCodes ?? "").slice(EXIT_CODES.length).replaceAll("\n", " "),
  };
}
