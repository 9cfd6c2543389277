import type { Argument, Command, Option } from "commander";
import * as z from "zod/mini";
import { actsOf, definitionOf, examplesOf, exitsOf } from "../../../ops/add-command.ts";
import type { Definition } from "../../../ops/command.ts";
import { buildProgram } from "../../../ops/program.ts";
import { rawJson } from "../../../ops/terminal/json-output.ts";
import { type Schema, typeText } from "./json-type.ts";

const OPENING = `# Commands

Every command of \`npm run ops --\`; the npm package has the same under \`npx countinghouse\`. Each entry has the usage, the options that
are the command's own, what \`--json\` prints, the exit codes and an example. \`npm run ops -- COMMAND --help\` explains what the command
does; [operations.md](operations.md) says when to use which. \`npm run write -- reference\` writes this page from the program;
the head of [ops/command.ts](../ops/command.ts) says how to add a command.

**JSON.** With \`--json\`, standard output has only JSON: one text on one line, or a text on each line where the command lists or goes on
(NDJSON). Questions, progress and remarks go to standard error. Types are written as in TypeScript; \`time\` is ISO 8601 in UTC. Members
may be added: ignore those that you do not know. \`npm run --silent ops -- … --json | jq\` keeps npm's own lines out. A command that ends
with 2 may have printed nothing.

**Exit codes.** 0: it was done. 2: it was not done. 130: it was stopped by Ctrl-C. An entry has them where it says more.`;

/** Exit codes that say no more than the page's opening. */
const USUAL_CODES = /^0 (\w+), 2 not \1\.$/;

const pathOf = (command: Command): string => definitionOf(command)?.words ?? "";

const anchorOf = (path: string): string => path.replaceAll(" ", "-");

/** `docs/commands.md`, from the program. */
export async function commandsPage(): Promise<string> {
  const acts = actsOf(await buildProgram());
  const shared = sharedLines(acts);
  const shapes = new Map<string, string>();
  const contents = acts.map(pathOf).map((path) => `[${path}](#${anchorOf(path)})`);
  return [
    OPENING,
    `## Shared options\n\nAn entry names these by their flags only.\n\n${[...shared].toSorted().join("\n")}`,
    contents.join(" · "),
    ...acts.flatMap((command) => commandSection(command, shared, shapes)),
  ]
    .join("\n\n")
    .concat("\n");
}

/** The options that at least three commands have, in the same words. */
function sharedLines(acts: readonly Command[]): ReadonlySet<string> {
  const users = Map.groupBy(acts.flatMap(ownOptions).map(optionLine), (line) => line);
  const common = [...users].filter(([, { length }]) => length >= 3);
  // A flag alone must name one of them: what most commands mean by it.
  const byFlags = Map.groupBy(common, ([line]) => line.slice(0, line.indexOf("`:")));
  return new Set(
    [...byFlags.values()].flatMap(
      (lines) => lines.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? [],
    ),
  );
}

const ownOptions = (command: Command): Option[] =>
  command.options.filter(({ hidden, long }) => !hidden && long !== "--json");

const choicesText = (choices: readonly string[] | undefined): string =>
  choices === undefined ? "" : `: ${choices.map((choice) => `\`${choice}\``).join(", ")}`;

function optionLine({ flags, description, mandatory, argChoices, ...option }: Option): string {
  const value = option.defaultValueDescription ?? String(option.defaultValue ?? false);
  const given = value === "false" ? "" : ` (default: ${value})`;
  return `- \`${flags}\`: ${mandatory ? "required; " : ""}${prose(description)}${choicesText(argChoices)}${prose(given)}`;
}

const argumentLine = (argument: Argument): string =>
  `- \`${argument.name()}\`: ${prose(argument.description)}${choicesText(argument.argChoices)}`;

const sentence = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** A text of the help within Markdown, where angle brackets outside of code are text. */
const prose = (text: string): string =>
  text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll("*", "\\*")))
    .join("`");

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

function commandSection(
  command: Command,
  shared: ReadonlySet<string>,
  shapes: Map<string, string>,
): string[] {
  const definition = definitionOf(command) as Definition;
  const exitCodes = exitsOf(definition).replace(", 130 stopped by Ctrl-C", "");
  const options = ownOptions(command);
  const own = options.map(optionLine).filter((line) => !shared.has(line));
  const flags = options.filter((option) => shared.has(optionLine(option))).map(({ long }) => `\`${long}\``);
  const list = [
    ...command.registeredArguments.filter(({ description }) => description !== "").map(argumentLine),
    ...own,
    ...(flags.length === 0 ? [] : [`- shared: ${flags.join(" ")}`]),
  ];
  return [
    `## ${pathOf(command)}`,
    `${sentence(command.description())}. \`${pathOf(command)} ${command.usage()}\``,
    ...(list.length === 0 ? [] : [list.join("\n")]),
    ...jsonParts(definition, shapes),
    ...(USUAL_CODES.test(exitCodes) ? [] : [`Exit codes: ${prose(exitCodes)}`]),
    fence("sh", examplesOf(definition)[0] ?? ""),
  ];
}

/** What `--json` prints. A shape that an earlier command has is named by that command. */
function jsonParts({ words, json }: Definition, shapes: Map<string, string>): string[] {
  if (typeof json === "string") return [`Without \`--json\`: ${prose(json)}`];
  if (json.shape === rawJson) return ["JSON: the [record](reference.md#records) as the service sent it."];
  const what = json.lines ? "JSON lines" : "JSON";
  const type = typeText(z.toJSONSchema(json.shape, { unrepresentable: "any", io: "input" }) as Schema);
  const earlier = shapes.get(type);
  if (earlier !== undefined) return [`${what}: as [${earlier}](#${anchorOf(earlier)}).`];
  shapes.set(type, words);
  return [`${what}: \`${type}\``, fence("json", JSON.stringify(json.example))];
}
