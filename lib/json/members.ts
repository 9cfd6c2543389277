import * as z from "zod/mini";
import { isId } from "../id.ts";
import { parseDateOrInstant, parseInstant, utcText } from "../instant.ts";
import { isExactNumber } from "./exact-json.ts";

/** Kinds of member that documents of several contracts have. */

/** A string that says something. */
export const text = z.string().check(z.minLength(1, "must not be empty"));

/** An identifier of ours, as `isId` defines it. */
export const id = z
  .string()
  .check(z.refine(isId, "must be 1 to 128 of the characters A-Z a-z 0-9 . _ ~ : - and neither . nor .."));

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

/** A currency code in the form of ISO 4217: which codes are in use changes without us. */
export const currency = z
  .string()
  .check(z.regex(/^[A-Z]{3}$/, "must be a currency code of three upper-case letters (ISO 4217)"));

function amountFault(value: unknown): string | undefined {
  if (value === undefined) return "is required";
  if (!isExactNumber(value)) return "must be a number";
  return Number.isFinite(Number(value.rawJSON)) ? undefined : "must be within the range of a double";
}

/** A number that keeps its digits, and that a reader who uses doubles still reads as a finite one. */
export const amount = z.custom<{ readonly rawJSON: string }>((value) => amountFault(value) === undefined, {
  error: (issue) => amountFault(issue.input),
});

const notNumber = z.custom((value) => !isExactNumber(value), "must be an object");

/** An object with these members and no others. A number is an object to the platform while it keeps its digits. */
export const object = <Members extends z.core.$ZodLooseShape>(members: Members) =>
  z.pipe(notNumber, z.strictObject(members));

function isEmpty(value: unknown): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && !isExactNumber(value) && Object.keys(value).length === 0;
}

/** An object all of whose members turned out to be absent is absent as well. */
function unlessBare<Value>(value: Value): Value | undefined {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value;
  return Object.values(value).every((member) => member === undefined) ? undefined : value;
}

/** A member that may be absent; null, an empty text, an empty list and an empty object mean absent. */
export const optional = <Shape extends z.ZodMiniType>(shape: Shape) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (isEmpty(value) ? undefined : value)),
      z.optional(z.pipe(shape, z.transform(unlessBare<z.output<Shape>>))),
    ),
  );
