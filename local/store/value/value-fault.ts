import type { Members } from "../../../lib/json-value.ts";
import { firstFault } from "../first-fault.ts";
import { listOf, membersOf } from "../members.ts";
import { contentOf, type DataType, dataTypesOf, textBytes } from "./attribute-value.ts";
import { numberOf } from "./number.ts";

/** A fault of a value, with DynamoDB's message. */
export interface ValueFault {
  readonly kind:
    | "base64"
    | "data-type"
    | "empty-set"
    | "name-empty"
    | "name-length"
    | "name-proto"
    | "nesting"
    | "null"
    | "null-in-set"
    | "number"
    | "number-digits"
    | "number-range"
    | "repeating-set";
  readonly message: string;
}

const INVALID = "One or more parameter values were invalid: ";
const MAX_LEVELS = 32;
const MAX_DIGITS = 38;
const MAGNITUDES = { least: -130, most: 125 } as const;
const MAX_NAME_BYTES = 65_535;
const EMPTY_SETS = {
  SS: `${INVALID}An string set  may not be empty`,
  NS: `${INVALID}An number set  may not be empty`,
  BS: `${INVALID}Binary sets should not be empty`,
} as const;

/** The first fault of a value; undefined when it is sound. The value of an attribute is on level one. */
export function valueFault(value: unknown, level = 1): ValueFault | undefined {
  const types = dataTypesOf(value);
  const fault = firstFault(types, (type) => CONTENT_FAULTS[type](contentOf(value, type), level));
  if (fault !== undefined || types.length === 1) return fault;
  const found = types.length === 0 ? "is empty," : "has more than one datatypes set,";
  return {
    kind: "data-type",
    message: `Supplied AttributeValue ${found} must contain exactly one of the supported datatypes`,
  };
}

const CONTENT_FAULTS: Readonly<
  Record<DataType, (content: unknown, level: number) => ValueFault | undefined>
> = {
  S: () => undefined,
  N: numberFault,
  B: base64Fault,
  BOOL: () => undefined,
  NULL: nullFault,
  SS: (content) => setFault("SS", listOf(content)),
  NS: (content) => setFault("NS", listOf(content)),
  BS: (content) => setFault("BS", listOf(content)),
  L: (content, level) => nestedFault(listOf(content), level),
  M: (content, level) => mapFault(membersOf(content) ?? {}, level),
};

/** The first fault of attributes' names and values; undefined when all are sound. */
export function attributesFault(attributes: Members): ValueFault | undefined {
  return nameFault(Object.keys(attributes)) ?? firstValueFault(Object.values(attributes), 1);
}

/** The first fault of attributes' names; undefined when all are sound. */
function nameFault(names: readonly string[]): ValueFault | undefined {
  for (const name of names) {
    if (name === "") return { kind: "name-empty", message: "Empty attribute name" };
    if (name === "__proto__") return { kind: "name-proto", message: "" };
    if (isLongName(name)) return { kind: "name-length", message: LONG_NAME };
  }
  return undefined;
}

/** Whether an attribute's name is too long. */
export const isLongName = (name: string): boolean => textBytes(name) > MAX_NAME_BYTES;

export const LONG_NAME =
  "1 validation error detected: Attribute name is too large, must be less than 65536 bytes";

function mapFault(entries: Members, level: number): ValueFault | undefined {
  return nameFault(Object.keys(entries)) ?? nestedFault(Object.values(entries), level);
}

function nullFault(content: unknown): ValueFault | undefined {
  return content === false
    ? { kind: "null", message: `${INVALID}Null attribute value types must have the value of true` }
    : undefined;
}

function nestedFault(elements: readonly unknown[], level: number): ValueFault | undefined {
  if (elements.length > 0 && level >= MAX_LEVELS) {
    const message =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
    return { kind: "nesting", message };
  }
  return firstValueFault(elements, level + 1);
}

const firstValueFault = (values: readonly unknown[], level: number): ValueFault | undefined =>
  firstFault(values, (value) => valueFault(value, level));

function numberFault(content: unknown): ValueFault | undefined {
  if (typeof content !== "string") return undefined;
  const number = numberOf(content);
  if (number === undefined) {
    const which = content === "" ? "" : `: ${content}`;
    return { kind: "number", message: `The parameter cannot be converted to a numeric value${which}` };
  }
  const { magnitude, digits } = number;
  if (magnitude > MAGNITUDES.most) return rangeFault("overflow", "larger");
  if (magnitude < MAGNITUDES.least) return rangeFault("underflow", "smaller");
  if (digits.length <= MAX_DIGITS) return undefined;
  return {
    kind: "number-digits",
    message: "Attempting to store more than 38 significant digits in a Number",
  };
}

const rangeFault = (how: string, than: string): ValueFault => ({
  kind: "number-range",
  message: `Number ${how}. Attempting to store a number with magnitude ${than} than supported range`,
});

function base64Fault(content: unknown): ValueFault | undefined {
  if (typeof content !== "string") return undefined;
  if (content.length % 4 !== 0) {
    const message = `Base64 encoded length is expected a multiple of 4 bytes but found: ${content.length}`;
    return { kind: "base64", message };
  }
  if (Buffer.from(content, "base64").toString("base64") === content) return undefined;
  return { kind: "base64", message: "Invalid last non-pad Base64 character dectected" };
}

function setFault(type: "SS" | "NS" | "BS", elements: readonly unknown[]): ValueFault | undefined {
  if (elements.length === 0) return { kind: "empty-set", message: EMPTY_SETS[type] };
  if (elements.includes(null)) return { kind: "null-in-set", message: NULL_IN_SET };
  const seen = new Set<string>();
  for (const element of elements) {
    const fault = CONTENT_FAULTS[type.charAt(0) as DataType](element, 1);
    if (fault !== undefined) return fault;
    if (typeof element !== "string") continue;
    const same = type === "NS" ? JSON.stringify(numberOf(element)) : element;
    if (seen.has(same)) return { kind: "repeating-set", message: repeating(type, elements) };
    seen.add(same);
  }
  return undefined;
}

const NULL_IN_SET = `${INVALID}An string set may not have a null string as a member`;

function repeating(type: "SS" | "NS" | "BS", elements: readonly unknown[]): string {
  if (type === "NS") return "Input collection contains duplicates";
  const shown = elements.filter((element) => typeof element === "string").join(", ");
  const collection = `${INVALID}Input collection [${shown}]`;
  return type === "SS"
    ? `${collection} contains duplicates.`
    : `${collection}of type BS contains duplicates.`;
}
