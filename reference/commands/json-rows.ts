/** A part of a JSON Schema, as zod writes one. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly pattern?: string;
}

/** One member of a shape: its path, the words for its type, and whether it is always there. */
export type JsonRow = readonly [path: string, type: string, present: string];

const alternativesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

/** The alternatives of a whole shape, or the shape itself where it has none. */
export const formsOf = (schema: Schema): readonly Schema[] => {
  const forms = alternativesOf(schema);
  return forms.length === 0 ? [schema] : forms;
};

/** The type of a value in words: `text`, `number or null`, `list of texts`. */
export function typeText(schema: Schema): string {
  const { type, enum: words, items, additionalProperties } = schema;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return alternatives.map(typeText).join(" or ");
  if ("const" in schema) return `\`${String(schema.const)}\``;
  if (words !== undefined) return words.map((word) => `\`${String(word)}\``).join(", ");
  if (typeof type === "object") return type.map((one) => typeText({ ...schema, type: one })).join(" or ");
  if (type === "string") return schema.pattern?.includes("T\\d") ? "time" : "text";
  if (type === "array") return `list${items === undefined ? "" : ` of ${typeText(items)}`}`;
  if (type === "object" && typeof additionalProperties === "object")
    return `object of ${typeText(additionalProperties)} by name`;
  return type === undefined ? "any" : type === "integer" ? "number" : type;
}

/** The rows of a shape, each member after the one that holds it; `[]` stands for each element of a list. */
export function jsonRows(schema: Schema, path = ""): JsonRow[] {
  const { items, properties, required = [] } = schema;
  if (items !== undefined) return jsonRows(items, `${path}[]`);
  const inner = alternativesOf(schema).find((one) => one.properties !== undefined || one.items !== undefined);
  if (inner !== undefined) return jsonRows(inner, path);
  return Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const own = path === "" ? name : `${path}.${name}`;
    const row = [own, typeText(member), required.includes(name) ? "always" : ""] as const;
    return [row, ...jsonRows(member, own)];
  });
}
