import type { JsonSchema } from "../../local/endpoints/json-schema.ts";

/** A table of Markdown. A bar within a cell would end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The rule of a value in words, such as "whole number from 1 to 1000, 100 unless given". */
export function ruleOf(schema: JsonSchema): string {
  const { default: given } = schema;
  return [kindOf(schema), given === undefined ? "" : `${given} unless given`]
    .filter((part) => part !== "")
    .join(", ");
}

function kindOf(schema: JsonSchema): string {
  const { type, enum: words, items, minimum, maximum, format, anyOf, pattern } = schema;
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``).join(", ");
  if (type === "array") return `list of ${kindOf(items ?? {})}`;
  if (Array.isArray(anyOf)) return anyOf.map(kindOf).join(" or ");
  if (type === "integer") return bounded("whole number", minimum, maximum);
  if (format === "date-time") return "date and time with zone";
  if (format === "date") return "date";
  if (typeof schema.title === "string") return schema.title;
  if (typeof pattern === "string" && type === "string") return `text matching \`${pattern}\``;
  return type === "string" ? "text" : (type ?? "any");
}

const bounded = (kind: string, minimum?: number, maximum?: number): string =>
  [kind, minimum === undefined ? "" : ` from ${minimum}`, maximum === undefined ? "" : ` to ${maximum}`].join(
    "",
  );

/** A row for each member of a record, at every depth. */
export function rowsOf(schema: JsonSchema, prefix = "", isCertain = true): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const isRequired = isCertain && (schema.required ?? []).includes(name);
    const within = member.items ?? member;
    const inner = member.type === "array" ? `${path}[].` : `${path}.`;
    return [
      [`\`${path}\``, ruleOf(member), isRequired ? "always" : "", member.description ?? ""],
      ...rowsOf(within, inner, true).map(([field = "", rule = "", presence = "", text = ""]) => [
        field,
        rule,
        presence === "always" && !isRequired ? `with \`${path}\`` : presence,
        text,
      ]),
    ];
  });
}
