import { PLAIN } from "../../lib/trades/decimal.ts";
import { objectNames, recordTexts, type TypeName, wordNames } from "./client-names.ts";
import type { JsonSchema } from "./json-schema.ts";

/** The declarations of the client's types, by name, in the order in which they are first met. */
export type Declarations = Map<string, string>;

/** A comment of one line or more. */
export const docComment = (text: string, indent = ""): string => `${indent}/** ${text} */\n`;

/**
 * Declares the types of a record and of everything in it, and returns the name of the record's type.
 *
 * @throws {Error} that names an object or a list of words without a name in `client-names.ts`, or two of one name that
 *   differ.
 */
export function declareRecord(schema: JsonSchema, title: string, declarations: Declarations): string {
  const text = recordTexts[title];
  if (text === undefined) throw new Error(`${title} has no text in client-names.ts.`);
  // `Error` is the language's own.
  const name = title === "Error" ? "ErrorBody" : title;
  return declareObject(schema, { path: title, name, text, declarations });
}

interface Declared extends TypeName {
  readonly path: string;
  readonly declarations: Declarations;
}

function declareObject(schema: JsonSchema, { path, name, text, declarations }: Declared): string {
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {}).map(([member, within]) => {
    const type = typeOf(within, `${path}.${member}`, declarations);
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

function typeOf(schema: JsonSchema, path: string, declarations: Declarations): string {
  const { type, items, properties, enum: words, pattern } = schema;
  if (Array.isArray(words)) return declareWords(words, path, declarations);
  if (type === "array") return `readonly ${typeOf(items ?? {}, `${path}[]`, declarations)}[]`;
  if (properties !== undefined) {
    const named = nameOf(objectNames, path);
    return declareObject(schema, { ...named, path, declarations });
  }
  if (type === "object") return "Readonly<Record<string, JsonValue>>";
  if (type === "integer") return "number";
  return type === "number" || pattern === PLAIN.source ? "Decimal" : "string";
}

function declareWords(words: readonly string[], path: string, declarations: Declarations): string {
  const { name, text } = nameOf(wordNames, path);
  const lines = words.map((word) => `\n  | ${JSON.stringify(word)}`).join("");
  declare(declarations, name, `${docComment(text)}export type ${name} =${lines};\n`);
  return name;
}

function nameOf(names: Readonly<Record<string, TypeName>>, path: string): TypeName {
  const named = names[path];
  if (named === undefined) throw new Error(`${path} has no name in client-names.ts.`);
  return named;
}
