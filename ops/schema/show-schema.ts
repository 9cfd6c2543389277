import { Argument, type Command } from "commander";
import * as z from "zod/mini";
import { commands } from "../../local/installation.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { printTable, terminalWidth, wrapText } from "../terminal/write-table.ts";
import { type ImportKind, type ImportKindName, importKind, importKindNames } from "./import-kinds.ts";
import { memberRows } from "./member-rows.ts";
import { messageForm } from "./message-form.ts";

const HELP = `
Shows which members a line of a file to import has, an example of one, and what an import checks beyond that. --json prints
the JSON Schema (2020-12), --example the example alone, which can be imported as it is.

--message shows the same for the body of a message to the queue of records, with one record or several.

The schema refuses nothing that an import takes, but for an optional member that is null or empty: an import counts it as
absent. What the schema accepts an import may still refuse, by the rules at the end.

Examples:
  ${commands.ops} schema transactions
  ${commands.quietOps} schema trades --json > trade.schema.json
  ${commands.quietOps} schema sell-orders --example | ${commands.quietOps} import sell-orders --partner acme - --new

Exit codes: 0 shown, 2 there is no such kind.`;

/** What `schema KIND --json` prints. */
const schemaShape = z.looseObject({ $schema: z.string(), title: z.string(), type: z.string() });

const EXAMPLE = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Pass",
  type: "object",
  required: ["partner_reference", "type", "version"],
};

interface Options {
  readonly message?: true;
  readonly example?: true;
  readonly json?: true;
}

/** The width of a text for people where no terminal gives one. */
const PLAIN_WIDTH = 120;

function print({ schema, example, command, rules }: ImportKind): void {
  const width = terminalWidth() ?? PLAIN_WIDTH;
  const rows = memberRows(schema).map(({ path, isRequired, type, meaning }) => [
    path,
    isRequired ? "yes" : "",
    type,
    meaning,
  ]);
  printTable({ head: ["MEMBER", "REQUIRED", "TYPE", "MEANING"], rows });
  console.log(`\nAn example, for \`${command} FILE\`:\n\n${example}\n\nAn import also checks:`);
  for (const rule of rules)
    console.log(
      wrapText(rule, width - 2)
        .map((line, at) => `${at === 0 ? "- " : "  "}${line}`)
        .join("\n"),
    );
}

function show(name: ImportKindName, { message, example, json }: Options): void {
  const line = importKind(name);
  const kind = message === true ? messageForm(name, line) : line;
  if (example === true) console.log(kind.example);
  else if (json === true) printJson(schemaShape, kind.schema);
  else print(kind);
}

/** `schema`: shows what an import takes. */
export function showSchema(program: Command): void {
  const command = program
    .command("schema")
    .description("show what an import takes: its members, an example, its JSON Schema")
    .addArgument(new Argument("<kind>", "the kind of records").choices(importKindNames))
    .option("--message", "show the body of a message to the queue of records instead")
    .option("--example", "print one line that can be imported, and nothing else");
  addJsonOption(command, schemaShape, EXAMPLE).addHelpText("after", HELP).action(show);
}
