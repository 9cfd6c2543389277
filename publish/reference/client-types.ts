import { PLAIN } from "../../lib/trades/decimal.ts";
import type { JsonSchema, RecordText } from "../../local/endpoints/json-schema.ts";

/** The declarations of the client's types, by name, in the order in which they are first met. */
export type Declarations = Map<string, string>;

/** A comment of one line or more. */
export const docComment = (text: string, indent = ""): string => `${indent}/** ${text} */\n`;

/**
 * Declares the types of a record and of everything in it, and returns the name of the record's type.
 *
 * @throws {Error} that names an object or a list of words without a name among the record's types, or two of one name that
 *   differ.
 */
export function declareRecord(
  schema: JsonSchema,
  { title, text, types }: Pick<RecordText, "title" | "text" | "types">,
  declarations: Declarations,
): string {
  const declaring = { title, types, declarations };
  // `Error` is the language's own.
  const name = title === "Error" ? "ErrorBody" : title;
  return declareObject(schema, "", { ...declaring, name, text });
}

interface Declaring extends Pick<RecordText, "title" | "types"> {
  readonly declarations: Declarations;
}

interface Declared extends Declaring {
  readonly name: string;
  readonly text: string;
}

function declareObject(schema: JsonSchema, path: string, declared: Declared): string {
  const { name, text, declarations } = declared;
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {}).map(([member, within]) => {
    const type = typeOf(within, path === "" ? member : `${path}.${member}`, declared);
    const comment = docComment(within.description ?? "", "  ");
    return `${comment}  readonly ${member}${required.has(member) ? "" : "?"}: ${type};\n`;
  });
  declare(declarations, name, `${docComment(text)}export interface ${name} {\n${members.join("")}}\n`);
  return name;
}

function declare(declarations: Declarations, name: string, text: string): void {
  const known = declarations.get(name);
  if (known !== undefined && known !== text) throw new Error(`${name} is declared in two ways.`);
  declarations.set(name, text);
}

function typeOf(schema: JsonSchema, path: string, declaring: Declaring): string {
  const { type, items, properties, enum: words, pattern } = schema;
  if (Array.isArray(words)) return declareWords(words, path, declaring);
  if (type === "array") return `readonly ${typeOf(items ?? {}, `${path}[]`, declaring)}[]`;
  if (properties !== undefined)
    return declareObject(schema, path, { ...declaring, ...nameOf(declaring, path) });
  if (type === "object") return "Readonly<Record<string, JsonValue>>";
  if (type === "integer") return "number";
  return type === "number" || pattern === PLAIN.source ? "Decimal" : "string";
}

function declareWords(words: readonly string[], path: string, declaring: Declaring): string {
  const { name, text } = nameOf(declaring, path);
  const lines = words.map((word) => `\n  | ${JSON.stringify(word)}`).join("");
  declare(declaring.declarations, name, `${docComment(text)}export type ${name} =${lines};\n`);
  return name;
}

function nameOf({ title, types }: Declaring, path: string): RecordText["types"][string] {
  const named = types[path];
  if (named === undefined) throw new Error(`${title}.${path} has no name among the record's types.`);
  return named;
}
