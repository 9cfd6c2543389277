import type { Argument, Command, Option } from "commander";
import * as z from "zod/mini";
import { buildProgram } from "../../ops/program.ts";
import { type JsonOutput, outputOf, rawJson } from "../../ops/terminal/json-output.ts";
import { table } from "../markdown-table.ts";
import { helpParts } from "./help-parts.ts";
import { formsOf, jsonRows, type Schema, typeText } from "./json-rows.ts";

const OPENING = `# Commands

Every command of \`npm run ops\`, with its options, its JSON and its exit codes. \`npm run reference\` writes this page from the program
itself; \`--help\` says the same in the terminal. The npm package has the same commands under \`npx countinghouse\`. [operations.md](operations.md)
says when to use which.

With \`--json\`, standard output has only JSON: one text on one line, or a text on each line where the command lists or goes on (NDJSON).
Times are ISO 8601 in UTC. Members may be added; ignore those that you do not know. Questions, progress and remarks go to standard error.
\`npm run --silent ops -- … --json | jq\` keeps npm's own lines out. A command that ends with 2 may have printed nothing.`;

/** The commands that do something, in the program's order. */
const actsOf = (command: Command): Command[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
  ...command.commands.flatMap(actsOf),
];

const pathOf = (command: Command): string =>
  command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();

const anchorOf = (path: string): string => path.replaceAll(" ", "-");

/** `docs/commands.md`, from the program. */
export async function commandsPage(): Promise<string> {
  const acts = actsOf(await buildProgram());
  const contents = acts.map((command) => {
    const path = pathOf(command);
    return [`[${path}](#${anchorOf(path)})`, sentence(command.description())];
  });
  return [OPENING, table(["command", "does"], contents), ...acts.flatMap(commandSection)]
    .join("\n\n")
    .concat("\n");
}

const sentence = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** A text of the help within Markdown. */
const prose = (text: string): string => text.replaceAll("<", "&lt;").replaceAll("*", "\\*");

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const paragraphText = (text: string): string => (/^ {2}/m.test(text) ? fence("text", text) : prose(text));

function commandSection(command: Command): string[] {
  const { paragraphs, examples, exitCodes } = helpParts(command);
  return [
    `## ${pathOf(command)}`,
    `${sentence(command.description())}.`,
    `\`${pathOf(command)} ${command.usage()}\``,
    ...paragraphs.map(paragraphText),
    ...inputTable(command),
    ...outputParts(command),
    fence("sh", examples.join("\n")),
    `**Exit codes** ${prose(exitCodes)}`,
  ];
}

const argumentRow = (argument: Argument): string[] => [
  `\`${argument.required ? "<" : "["}${argument.name()}${argument.required ? ">" : "]"}\``,
  `${argument.description}${choicesText(argument.argChoices)}`,
];

const optionRow = ({ flags, description, mandatory, argChoices, ...option }: Option): string[] => [
  `\`${flags}\`${mandatory ? ", required" : ""}`,
  `${description}${choicesText(argChoices)}${defaultText(option)}`,
];

const choicesText = (choices: readonly string[] | undefined): string =>
  choices === undefined ? "" : `: ${choices.map((choice) => `\`${choice}\``).join(", ")}`;

function defaultText({ defaultValue, defaultValueDescription }: Partial<Option>): string {
  const given = defaultValueDescription ?? (defaultValue === undefined ? undefined : String(defaultValue));
  return given === undefined || given === "false" ? "" : ` (default: ${given})`;
}

function inputTable(command: Command): string[] {
  const options = command.options.filter(({ hidden, long }) => !hidden && long !== "--json");
  const rows = [...command.registeredArguments.map(argumentRow), ...options.map(optionRow)];
  return rows.length === 0
    ? []
    : [
        table(
          ["argument or option", "meaning"],
          rows.map((row) => row.map(cell)),
        ),
      ];
}

/** A cell is one line, and its angle brackets outside of code are text. */
const cell = (text: string): string =>
  text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? part : prose(part)))
    .join("`");

function outputParts(command: Command): string[] {
  const output = outputOf(command);
  if (output === undefined) return [];
  return "reason" in output ? [`**Without \`--json\`** ${prose(output.reason)}`] : jsonParts(output);
}

function jsonParts({ shape, form, example }: JsonOutput): string[] {
  const what = form === "text" ? "one JSON text" : "a JSON text on each line";
  if (shape === rawJson)
    return [
      "**`--json`** prints the record as the service sent it; [reference.md](reference.md#records) has its members.",
    ];
  const schema = z.toJSONSchema(shape, { unrepresentable: "any", io: "input" }) as Schema;
  const forms = formsOf(schema);
  const tables = forms.map((one) => table(["member", "type", "present"], jsonRows(one).map(rowCells)));
  return [
    `**\`--json\`** prints ${what}${forms.length > 1 ? `: ${forms.map(typeText).join(" or ")}, in one of these forms` : `: ${typeText(schema)}`}.`,
    ...tables,
    ...(example === undefined ? [] : [fence("json", JSON.stringify(example))]),
  ];
}

const rowCells = ([path, type, present]: readonly [string, string, string]): string[] => [
  `\`${path}\``,
  type,
  present,
];
