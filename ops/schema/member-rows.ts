import type { JsonSchema } from "../../publish/reference/json-schema.ts";

/** A member of a document as a table lists it. */
export interface MemberRow {
  /** Such as `legs[].amount`. */
  readonly path: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly meaning: string;
}

/** The members of a schema, those of an object below it. */
export function memberRows(schema: JsonSchema, path = ""): readonly MemberRow[] {
  const { properties = {}, items, required = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const memberPath = path === "" ? name : `${path}.${name}`;
    const row = {
      path: memberPath,
      isRequired: required.includes(name),
      type: typeOf(member),
      meaning: member.description ?? "",
    };
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
