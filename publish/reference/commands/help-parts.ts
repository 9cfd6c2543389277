import type { Command } from "commander";

/** What the page of the commands shows of the text that a command's help has after its options. */
export interface HelpParts {
  /** The command lines of its examples. */
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

/** Reads the parts of a command's help. A line that ends with a backslash goes on in the next. */
export function helpParts(command: Command): HelpParts {
  const parts = helpAfter(command)
    .trim()
    .split(/\n{2,}/);
  const after = (heading: RegExp): string =>
    parts.find((part) => heading.test(part))?.replace(heading, "") ?? "";
  return {
    examples: after(/^Examples?:\n/)
      .replaceAll(/^ {2}/gm, "")
      .split(/(?<!\\)\n/),
    exitCodes: after(/^Exit codes: /).replaceAll("\n", " "),
  };
}
