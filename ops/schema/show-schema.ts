import * as z from "zod/mini";
import type { JsonSchema } from "../../local/endpoints/json-schema.ts";
import { defineCommand, type Shown } from "../command.ts";
import { listText } from "../terminal/write-table.ts";
import { type ImportKind, importKind, importKindNames, messageForm } from "./import-kinds.ts";

/** The members of a schema as rows of a table, those of an object below it: `legs[].amount`, whether it is required, … */
function memberRows(schema: JsonSchema, path = ""): readonly (readonly string[])[] {
  const { properties = {}, items, required = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const memberPath = path === "" ? name : `${path}.${name}`;
    const isRequired = required.includes(name) ? "yes" : "";
    const row = [memberPath, isRequired, typeOf(member), member.description ?? ""];
    return [row, ...memberRows(member, memberPath)];
  });
  return items === undefined ? own : [...own, ...memberRows(items, `${path}[]`)];
}

function typeOf({ type, format, enum: words, anyOf }: JsonSchema): string {
  if (Array.isArray(words)) return words.join(", ");
  if (type === "string" || type === undefined) {
    if (typeof format === "string") return format;
    if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one: JsonSchema) => typeOf(one)))].join(" or ");
  }
  return type === "array" ? "list" : (type ?? "text").replace("string", "text");
}

/** The width of a text for people where no terminal gives one. */
const PLAIN_WIDTH = 120;

function textOf({ schema, example, command, rules }: ImportKind): readonly Shown[] {
  return [
    { head: ["MEMBER", "REQUIRED", "TYPE", "MEANING"], rows: memberRows(schema) },
    `\nAn example, for \`${command} FILE\`:\n\n${example}\n\nAn import also checks:`,
    listText(rules, PLAIN_WIDTH),
  ];
}

/** `schema`: shows what an import takes. */
export const showSchema = defineCommand({
  words: "schema",
  summary: "show what an import takes: its members, an example, its JSON Schema",
  about: `Shows which members a line of a file to import has, an example of one, and what an import checks beyond that. --json prints
the JSON Schema (2020-12), --example the example alone, which can be imported as it is.

--message shows the same for the body of a message to the queue of records, with one record or several.

The schema refuses nothing that an import takes, but for an optional member that is null or empty: an import counts it as
absent. What the schema accepts an import may still refuse, by the rules at the end.`,
  examples: [
    "ops schema transactions",
    "ops schema trades --json > trade.schema.json",
    "ops schema sell-orders --example | ops import sell-orders --partner acme - --new",
  ],
  exits: { 0: "shown", 2: "there is no such kind" },
  on: "nothing",
  takes: {
    "<kind>": { text: "the kind of records", choices: importKindNames },
    "--message": "show the body of a message to the queue of records instead",
    "--example": "print one line that can be imported, and nothing else",
  },
  json: {
    shape: z.looseObject({ $schema: z.string(), title: z.string(), type: z.string() }),
    example: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Pass",
      type: "object",
      required: ["partner_reference", "type", "version"],
    },
  },
  run({ kind: name, message, example }) {
    const line = importKind(name);
    const kind = message ? messageForm(name, line) : line;
    if (!example) return { json: kind.schema, text: textOf(kind) };
    console.log(kind.example);
    return {};
  },
});
