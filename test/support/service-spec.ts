import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { Deprecation, type Property, type PropertyType } from "@aws-cdk/service-spec-types";
import { isMembers, type Members } from "../../lib/json-value.ts";
import type { Template } from "./synthesize.ts";

const spec = loadAwsServiceSpecSync();

/**
 * Holds a template against the CloudFormation specification: each resource is of a type that exists, and has its
 * required properties and none that is unknown, deprecated or of another type, down to where the specification has no
 * types.
 *
 * @returns the breaches, one line for each place.
 */
export const findSpecBreaches = ({ Resources }: Template): string[] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
    const resource = spec.lookup("resource", "cloudFormationType", "equals", Type).at(0);
    if (resource === undefined) return [`${id}: there is no resource type ${Type}`];
    return findInMembers((Properties ?? {}) as Members, resource.properties, id);
  });

function findInMembers(
  members: Members,
  properties: Readonly<Record<string, Property>>,
  at: string,
): string[] {
  const missing = Object.entries(properties)
    .filter(([name, { required }]) => required === true && !(name in members))
    .map(([name]) => `${at}: ${name} is required`);
  const found = Object.entries(members).flatMap(([name, value]) => {
    const property = properties[name];
    if (property === undefined) return [`${at}.${name}: there is no such property`];
    if ((property.deprecated ?? Deprecation.NONE) !== Deprecation.NONE)
      return [`${at}.${name}: is deprecated`];
    return findInValue(value, property.type, `${at}.${name}`);
  });
  return [...missing, ...found];
}

/** The kind of an intrinsic's value: a reference's is known only when it is deployed, and joined parts are text. */
function intrinsicOf(value: unknown): "text" | "unknown" | undefined {
  const [name, ...more] = isMembers(value) ? Object.keys(value) : [];
  if (name === undefined || more.length > 0) return undefined;
  if (name === "Fn::Join" || name === "Fn::Sub") return "text";
  return name === "Ref" || name.startsWith("Fn::") ? "unknown" : undefined;
}

function findInValue(value: unknown, type: PropertyType, at: string): string[] {
  const intrinsic = intrinsicOf(value);
  if (intrinsic === "unknown" || (intrinsic === "text" && type.type === "string")) return [];
  if (type.type === "union") return findInUnion(value, type.types, at);
  const found = findInKind(value, type, at);
  return found ?? [`${at}: ${JSON.stringify(value).slice(0, 60)} is not ${describe(type)}`];
}

/** The type in words. */
function describe(type: PropertyType): string {
  const values = "allowedValues" in type && type.allowedValues !== undefined ? type.allowedValues : [];
  if (values.length > 0) return `one of ${values.join(", ")}`;
  return `of type ${type.type === "ref" ? "object" : type.type}`;
}

/** Judges a value of several possible types by the one that it breaks least. */
const findInUnion = (value: unknown, types: readonly PropertyType[], at: string): string[] =>
  types
    .map((type) => findInValue(value, type, at))
    .reduce((least, breaches) => (breaches.length < least.length ? breaches : least));

/** Undefined for a value that is of another kind altogether. */
function findInKind(
  value: unknown,
  type: Exclude<PropertyType, { type: "union" }>,
  at: string,
): string[] | undefined {
  if (type.type === "array") {
    if (!Array.isArray(value)) return undefined;
    return value.flatMap((item, index) => findInValue(item, type.element, `${at}.${index}`));
  }
  if (type.type === "map") {
    if (!isMembers(value)) return undefined;
    return Object.entries(value).flatMap(([name, item]) => findInValue(item, type.element, `${at}.${name}`));
  }
  if (type.type === "ref" || type.type === "tag") {
    if (!isMembers(value)) return undefined;
    const { properties } = type.type === "tag" ? TAG : spec.get("typeDefinition", type.reference);
    return findInMembers(value, properties, at);
  }
  return isPrimitive(value, type) ? [] : undefined;
}

const TAG: { readonly properties: Readonly<Record<string, Property>> } = {
  properties: {
    Key: { type: { type: "string" }, required: true },
    Value: { type: { type: "string" }, required: true },
  },
};

type Primitive = Exclude<PropertyType, { type: "union" | "array" | "map" | "ref" | "tag" }>;

const isPrimitive = (value: unknown, type: Primitive): boolean =>
  KINDS[type.type](value) &&
  (!("allowedValues" in type) ||
    type.allowedValues === undefined ||
    type.allowedValues.some((allowed) => allowed === value));

const KINDS: Readonly<Record<Primitive["type"], (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === "boolean",
  "date-time": (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
  json: (value) => typeof value === "object" || typeof value === "string",
  null: (value) => value === null,
  number: (value) => typeof value === "number",
  string: (value) => typeof value === "string",
};
