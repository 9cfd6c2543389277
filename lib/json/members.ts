import * as z from "zod/mini";
import { isId, isRequestId } from "../id.ts";
import { parseDateOrInstant, parseInstant, utcText } from "../instant.ts";
import { ownMember } from "../own-member.ts";
import { isExactNumber } from "./exact-json.ts";

/** Kinds of members that documents of several contracts have. */

/**
 * A check of the length of a string or an array alone. Zod by itself looks at the length of anything that has one, such as
 * an object with a member `length`, and throws when that is an exact number.
 */
export function lengthCheck<Check extends z.core.$ZodCheck>(check: Check): Check {
  check._zod.def.when = ({ value }) => typeof value === "string" || Array.isArray(value);
  return check;
}

/** A string that is not empty. */
export const text = z.string().check(lengthCheck(z.minLength(1, "must not be empty")));

/** An identifier of ours, as `isId` defines it. */
export const id = z
  .string()
  .check(z.refine(isId, "must be 1 to 128 of the characters A-Z a-z 0-9 . _ ~ : @ - and neither . nor .."));

/** An identifier that a client chose, as `isRequestId` defines it. */
export const requestId = z
  .string()
  .check(z.refine(isRequestId, "must be 1 to 128 characters, none of them a control character"));

const instantMessage = "must be a date and time of 1970 or later with zone, such as 2026-01-31T09:30:00Z";

/** A date and time, kept as it was written. */
export const instant = z
  .string()
  .check(z.refine((value) => parseInstant(value) !== undefined, instantMessage));

/** A date and time, rewritten in UTC with the same digits after the second. */
export const utcInstant = z.pipe(
  instant,
  z.transform((value: string) => {
    const parsed = parseInstant(value);
    return parsed === undefined ? value : utcText(parsed);
  }),
);

/** A calendar date, or a date and time. */
export const dateOrInstant = z
  .string()
  .check(
    z.refine(
      (value) => parseDateOrInstant(value) !== undefined,
      "must be a date, or a date and time with zone",
    ),
  );

/** A currency code in the form of ISO 4217. Only the form is checked, because the codes in use change. */
export const currency = z
  .string()
  .check(z.regex(/^[A-Z]{3}$/, "must be a currency code of three upper-case letters (ISO 4217)"));

function amountViolation(value: unknown): string | undefined {
  if (value === undefined) return "is required";
  if (!isExactNumber(value)) return "must be a number";
  return Number.isFinite(Number(value.rawJSON)) ? undefined : "must be within the range of a double";
}

/** A number that keeps its digits, and that is finite for a reader who uses doubles. */
export const amount = z.custom<{ readonly rawJSON: string }>(
  (value) => amountViolation(value) === undefined,
  {
    error: (issue) => amountViolation(issue.input),
  },
);

const notNumber = z.custom((value) => !isExactNumber(value), "must be an object");

type Members = Readonly<Record<string, z.core.$ZodType>>;

/** The members that the shapes of objects name. */
const membersOf = new WeakMap<z.core.$ZodType, Members>();

/**
 * An object with these members and no others. A number that keeps its digits is an object too, so it is refused first.
 */
export function object<Shape extends Members>(members: Shape) {
  const shape = z.pipe(notNumber, z.strictObject(members));
  membersOf.set(shape, members);
  return shape;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

function isEmpty(value: unknown): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && !isExactNumber(value) && Object.keys(value).length === 0;
}

/**
 * Whether every member of an object is empty, even the required ones: some systems write null for all that they lack.
 * An object with an unknown name is not bare; its shape refuses it.
 */
function isBare(value: unknown, members: Members | undefined): boolean {
  if (members === undefined || !isObject(value)) return false;
  return Object.entries(value).every(([name, member]) => {
    const shape = ownMember(members, name);
    return shape !== undefined && (isEmpty(member) || isBare(member, membersOf.get(shape)));
  });
}

/** A member that may be absent. Null, an empty text, list or object, and an object of nothing but these mean absent. */
export function optional<Shape extends z.ZodMiniType>(shape: Shape) {
  const members = membersOf.get(shape);
  const present = z.transform((value: unknown) =>
    isEmpty(value) || isBare(value, members) ? undefined : value,
  );
  const absentOr = z.optional(z.pipe(present, z.optional(shape)));
  if (members !== undefined) membersOf.set(absentOr, members);
  return absentOr;
}

/** When a member has a meaning: while the member `beside` has one of these values. */
interface Relevance {
  readonly member: string;
  readonly beside: string;
  readonly values: readonly string[];
}

/**
 * A shape that leaves out a member where it has no meaning, whatever it holds: systems leave an old reason, in words of
 * their own, on a record that went well after all.
 */
export const withoutIdle = <Shape extends z.ZodMiniType>(
  { member, beside, values }: Relevance,
  shape: Shape,
) =>
  z.pipe(
    z.transform((document: unknown) => {
      if (!isObject(document)) return document;
      const { [member]: _idle, ...others } = document;
      return values.some((value) => ownMember(others, beside) === value) ? document : others;
    }),
    shape,
  );
