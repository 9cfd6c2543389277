/** The parts of a schema's definition that its text is made of. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
}

interface Schema {
  readonly _zod: { readonly def: unknown };
}

const definitionOf = (schema: Schema): Definition => schema._zod.def as Definition;

const isOptional = (schema: Schema): boolean => definitionOf(schema).type === "optional";

/** The names of an object's members, those that may be absent with a question mark. */
const membersText = (shape: Readonly<Record<string, Schema>>, isTop: boolean): string => {
  const members = Object.entries(shape).map(([name, schema]) => {
    const inner = isTop ? nestedText(schema) : "";
    return `${name}${isOptional(schema) ? "?" : ""}${inner === "" ? "" : `: ${inner}`}`;
  });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
};

/** The text of a member's schema: of what has members itself, and of nothing else. */
function nestedText(schema: Schema): string {
  const { type, shape, element, innerType, valueType } = definitionOf(schema);
  if (type === "object") return membersText(shape ?? {}, false);
  if (type === "array") return element === undefined ? "[]" : `[${nestedText(element)}]`;
  if (type === "record") return valueType === undefined ? "" : "{ … }";
  return innerType === undefined ? "" : nestedText(innerType);
}

/** A shape of JSON in one line, for help: `{ id, scopes: [], expiresAt? }`, and its alternatives with `|` between. */
export function shapeText(schema: Schema): string {
  const { type, shape, element, innerType, options = [] } = definitionOf(schema);
  if (type === "object") return membersText(shape ?? {}, true);
  if (type === "array") return element === undefined ? "[]" : `[${shapeText(element)}]`;
  if (type === "union") return options.map((one) => shapeText(one)).join(" | ");
  if (type === "custom") return "the document as it is served";
  return innerType === undefined ? type : shapeText(innerType);
}
