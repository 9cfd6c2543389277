import * as z from "zod/mini";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { ID } from "../../lib/id.ts";
import {
  amount,
  currency,
  dateOrInstant,
  foreignId,
  id,
  instant,
  utcInstant,
} from "../../lib/json/members.ts";
import { ownMember } from "../../lib/own-member.ts";

/** A schema of JSON Schema 2020-12, which is that of OpenAPI 3.1 as well. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly title?: string;
  readonly type?: string;
  readonly default?: string | number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The meaning of a member, and keywords for rules that its shape states as a function. */
export type MemberText = string | ({ readonly text: string } & JsonSchema);

/** The texts of a document's members by path, such as `legs[].counterparty.id`. */
export type MemberTexts = Readonly<Record<string, MemberText>>;

/** A type of the client, and what it is. */
interface TypeName {
  readonly name: string;
  readonly text: string;
}

/** What is said of a record beside the shape that it is checked against. */
export interface RecordText {
  /** The name of its schema. */
  readonly title: string;
  readonly text: string;
  readonly shape: z.core.$ZodType;
  readonly texts: MemberTexts;
  /** Objects and lists of words within the record that have a type of their own in the client, by their path. */
  readonly types: Readonly<Record<string, TypeName>>;
  /** Optional members whose absence says something, such as that no page follows. */
  readonly telling?: readonly string[];
}

/** Keywords for the shared members whose rules are functions. */
const KEYWORDS = new Map<z.core.$ZodType, JsonSchema>([
  [amount, { type: "number" }],
  [currency, { examples: ["EUR"] }],
  [id, { pattern: ID.source, maxLength: 128 }],
  [foreignId, { minLength: 1, maxLength: 128 }],
  [instant, { format: "date-time", examples: ["2026-01-31T09:30:00Z"] }],
  [utcInstant, { type: "string", format: "date-time", examples: ["2026-01-31T09:30:00Z"] }],
  [dateOrInstant, { anyOf: [{ format: "date" }, { format: "date-time" }] }],
]);

export interface SchemaOptions {
  readonly title: string;
  readonly texts: MemberTexts;
  /** Whether members that the shape does not name are refused. Answers stay open: a release may add a member. */
  readonly isClosed: boolean;
}

/**
 * The JSON Schema of a shape that documents are checked against.
 *
 * @throws {Error} that names each member without a text, and each text without a member.
 */
export function documentSchema(
  shape: z.core.$ZodType,
  { title, texts, isClosed }: SchemaOptions,
): JsonSchema {
  const schema = bareSchema(shape, {
    io: "output",
    override: ({ zodSchema, jsonSchema }) => void Object.assign(jsonSchema, KEYWORDS.get(zodSchema)),
  });
  const unused = new Set(Object.keys(texts));
  const described = describe(schema, "", (path) => {
    unused.delete(path);
    const given = ownMember(texts, path);
    if (given === undefined) throw new Error(`${title}: ${path} has no text.`);
    return given;
  });
  if (unused.size > 0) throw new Error(`${title}: there is no member ${[...unused].join(", ")}.`);
  return { title, ...(isClosed ? described : opened(described)) };
}

/** The schema of a shape, without the name of the dialect. What JSON Schema cannot say of it is left out. */
function bareSchema(shape: z.core.$ZodType, options: Parameters<typeof z.toJSONSchema>[1]): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { unrepresentable: "any", ...options });
  return schema as JsonSchema;
}

function describe(schema: JsonSchema, path: string, textOf: (path: string) => MemberText): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(items !== undefined && { items: describe(items, `${path}[]`, textOf) }),
    ...(properties !== undefined && {
      properties: mapValues(properties, (member, name) => {
        const memberPath = path === "" ? name : `${path}.${name}`;
        return withText(describe(member, memberPath, textOf), textOf(memberPath));
      }),
    }),
  };
}

function withText(schema: JsonSchema, given: MemberText): JsonSchema {
  if (typeof given === "string") return { description: given, ...schema };
  const { text, ...keywords } = given;
  return { description: text, ...schema, ...keywords };
}

/** A schema that allows members which it does not name, at every depth. */
function opened(closed: JsonSchema): JsonSchema {
  const { additionalProperties: _, ...schema } = closed;
  return {
    ...schema,
    ...(schema.items !== undefined && { items: opened(schema.items) }),
    ...(schema.properties !== undefined && { properties: mapValues(schema.properties, opened) }),
  };
}

export const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

/** The shapes of an endpoint's parameters by name, those of its path first. */
export const parameterShapes = ({
  path,
  query,
}: EndpointContract): Readonly<Record<string, z.core.$ZodType>> => ({
  ...(path as z.ZodMiniObject).shape,
  ...query.shape,
});

/**
 * The schema of one parameter as a client writes it: numbers and instants are written as text, so the bounds come from
 * what the text is read into.
 */
export function parameterSchema(shape: z.core.$ZodType): JsonSchema {
  const read = bareSchema(shape, { io: "output" });
  if (read.type === "number") return { ...read, type: "integer" };
  const { default: _, ...written } = bareSchema(shape, { io: "input" });
  return written;
}
