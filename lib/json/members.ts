import * as z from "zod/mini";
import { isId, isRequestId } from "../id.ts";
import { parseDateOrInstant, parseInstant, utcText } from "../instant.ts";
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

/** An identifier that paths or parameters carry, as `isId` defines it. */
export const id = z
  .string()
  .check(z.refine(isId, "must be 1 to 128 of the characters A-Z a-z 0-9 . _ ~ : @ - and neither . nor .."));

/**
 * An identifier of others that no path of ours carries, by the rule of `isRequestId`. It is kept letter for letter: account
 * numbers have slashes and blanks.
 */
export const foreignId = z
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
