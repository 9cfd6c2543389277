import type { JsonSchema } from "../../local/endpoints/json-schema.ts";

/**
 * A shape as the client checks it: `text`, `integer` and `decimal` (a number in JSON), `any`, a list of one shape, or
 * members by name; a name that ends with a question mark may be absent.
 */
type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };

/** The part of a schema that the client holds answers to. Words are not checked: a release may add one. */
export function shapeOf(schema: JsonSchema): Shape {
  const { type, items, properties, required = [] } = schema;
  if (type === "array") return [shapeOf(items ?? {})];
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [
        required.includes(name) ? name : `${name}?`,
        shapeOf(member),
      ]),
    );
  if (type === "integer") return "integer";
  if (type === "number") return "decimal";
  return type === "object" ? "object" : "text";
}
