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

const eitherOf = (types: readonly string[]): string => types.join(" | ");

/** A schema on one line, in TypeScript's notation: `{ id: string, endedAt: time | null, counts?: number[] }`. */
export function typeText(schema: Schema): string {
  const { type, enum: words, items, properties, required = [], additionalProperties } = schema;
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  if (alternatives.length > 0) return eitherOf(alternatives.map(typeText));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (words !== undefined) return eitherOf(words.map((word) => JSON.stringify(word)));
  if (typeof type === "object") return eitherOf(type.map((one) => typeText({ ...schema, type: one })));
  if (type === "string") return schema.pattern?.includes("T\\d") ? "time" : "string";
  if (type === "array") return listText(items ?? {});
  if (properties !== undefined) return membersText(properties, required);
  if (type === "object")
    return `{ [name]: ${typeof additionalProperties === "object" ? typeText(additionalProperties) : "any"} }`;
  return type === "integer" ? "number" : (type ?? "any");
}

const listText = (schema: Schema): string => {
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.enum ?? schema.type;
  return typeof alternatives === "object" ? `(${typeText(schema)})[]` : `${typeText(schema)}[]`;
};

function membersText(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const members = Object.entries(properties).map(
    ([name, member]) => `${name}${required.includes(name) ? "" : "?"}: ${typeText(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
