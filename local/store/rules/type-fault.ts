import { isMembers, type Members } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import {
  type ApiType,
  type MemberTypes,
  type ScalarType,
  STRUCTURES,
  type StructureType,
} from "./api-types.ts";

/** A fault of a member's type, with DynamoDB's message. */
export interface TypeFault {
  /** DynamoDB accepts a `boolean-word` as a boolean, and a `fraction` rounded down. */
  readonly kind: "boolean-word" | "fraction" | "null-element" | "type";
  readonly message: string;
}

/** Deeper than any sound value. Deeper levels are not checked, because the value is refused for its depth. */
const MAX_LEVELS = 100;

const IS_MAP = "Start of structure or map found where not expected";
const MODEL = "com.amazonaws.dynamodb.v20120810.";
/** DynamoDB's message for an element that must be a collection and is a simple value. */
const NO_INNER_COLLECTION =
  "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
  "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of " +
  "loader 'bootstrap')";
const BOOLEAN_WORD = /^(?:true|false|yes|no|1|0)$/i;

/** The place of a value: a member of a structure, or an element of a list or a map. */
type Place = "member" | "element";

/** The fault of the first member of a wrong type. Null members count as absent, and unknown members are ignored. */
export function membersFault(members: Members, types: MemberTypes, level = 1): TypeFault | undefined {
  for (const name of Object.keys(members)) {
    const [value, type] = [ownMember(members, name), ownMember(types, name)];
    if (type === undefined || value === undefined || value === null) continue;
    const fault = typeFault(value, type, "member", level);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function typeFault(value: unknown, type: ApiType, place: Place, level: number): TypeFault | undefined {
  if (level > MAX_LEVELS) return undefined;
  if (typeof type === "string")
    return isStructure(type) ? structureFault(value, type, place, level) : scalarFault(value, type);
  const element = "of" in type ? type.of : type[0];
  const message = "of" in type ? noMap(value, element, place) : noList(value, place);
  if (message !== undefined) return { kind: "type", message };
  for (const each of Object.values(value as object)) {
    const fault = each === null ? nullFault(type) : typeFault(each, element, "element", level + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const isStructure = (type: ScalarType | StructureType): type is StructureType =>
  Object.hasOwn(STRUCTURES, type);

function structureFault(
  value: unknown,
  type: StructureType,
  place: Place,
  level: number,
): TypeFault | undefined {
  if (isMembers(value)) return membersFault(value, STRUCTURES[type], level + 1);
  const scalar = place === "element" ? "Unexpected value type in payload" : "Unexpected field type";
  const message = Array.isArray(value) ? `Unrecognized collection type class ${MODEL}${type}` : scalar;
  return { kind: "type", message };
}

function noMap(value: unknown, element: ApiType, place: Place): string | undefined {
  if (isMembers(value)) return undefined;
  if (!Array.isArray(value)) return place === "element" ? NO_INNER_COLLECTION : "Unexpected field type";
  return `Unrecognized collection type java.util.Map<java.lang.String, ${javaName(element)}>`;
}

function noList(value: unknown, place: Place): string | undefined {
  if (Array.isArray(value)) return undefined;
  if (isMembers(value)) return IS_MAP;
  return place === "element" ? NO_INNER_COLLECTION : "Unexpected field type";
}

function javaName(type: ApiType): string {
  if (typeof type === "string") return isStructure(type) ? MODEL + type : `java.lang.${type}`;
  return "of" in type
    ? `java.util.Map<java.lang.String, ${javaName(type.of)}>`
    : `java.util.List<${javaName(type[0])}>`;
}

/** The fault of a null element; undefined in values and sets, which have rules of their own for null. */
function nullFault(type: Exclude<ApiType, string>): TypeFault | undefined {
  const element = "of" in type ? type.of : type[0];
  if (element === "AttributeValue" || SETS.has(type)) return undefined;
  return { kind: "null-element", message: "Unexpected value type in payload" };
}

const { SS, NS, BS } = STRUCTURES.AttributeValue;
const SETS: ReadonlySet<unknown> = new Set([SS, NS, BS]);

function scalarFault(value: unknown, type: ScalarType): TypeFault | undefined {
  if (Array.isArray(value)) {
    const found = type === "Blob" ? "java.nio.ByteBuffer" : `java.lang.${type}`;
    return { kind: "type", message: `Unrecognized collection type class ${found}` };
  }
  if (typeof value === "object") return { kind: "type", message: IS_MAP };
  if (typeof value === JSON_TYPES[type]) return fractionFault(value, type);
  if (type === "Blob")
    return { kind: "type", message: "only base-64-encoded strings are convertible to bytes" };
  if (type !== "Boolean" || typeof value !== "string")
    return { kind: "type", message: `${tokenOf(value)} cannot be converted to ${type}` };
  const kind = BOOLEAN_WORD.test(value) ? "boolean-word" : "type";
  return { kind, message: "Unexpected token received from parser" };
}

const JSON_TYPES = {
  String: "string",
  Boolean: "boolean",
  Integer: "number",
  Long: "number",
  Blob: "string",
} as const satisfies Record<ScalarType, string>;

const fractionFault = (value: unknown, type: ScalarType): TypeFault | undefined =>
  typeof value !== "number" || Number.isInteger(value)
    ? undefined
    : { kind: "fraction", message: `${tokenOf(value)} cannot be converted to ${type}` };

/** The name that DynamoDB's parser gives to a simple JSON value. */
function tokenOf(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "NUMBER_VALUE" : "DECIMAL_VALUE";
  return typeof value === "string" ? "STRING_VALUE" : `${String(value).toUpperCase()}_VALUE`;
}
