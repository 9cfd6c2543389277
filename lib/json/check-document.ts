import type * as z from "zod/mini";
import { type Checked, notOk } from "../checked.ts";
import { DocumentViolation, parseExactJson, writeExactJson } from "./exact-json.ts";
import { memberPath } from "./member-path.ts";

/** The most members that a reason names: a document of another kind breaks every rule. */
const VIOLATIONS_TOLD_MAX = 4;

/**
 * Reads one JSON document of a shape. The result has its members in the shape's order and none that the shape does not
 * name; numbers keep their digits.
 */
export function checkDocument<Shape extends z.ZodMiniType>(
  shape: Shape,
  text: string,
): Checked<z.output<Shape>> {
  let document: unknown;
  try {
    document = parseExactJson(text);
  } catch (error) {
    if (error instanceof DocumentViolation) return notOk(error.message);
    throw error;
  }
  const parsed = shape.safeParse(document, { error: messageOf });
  if (parsed.success) return { ok: true, value: parsed.data };
  return notOk(reasonOf(parsed.error.issues));
}

/** The most bytes of UTF-8 that are kept and served of one document. */
export const SERVED_BYTES_MAX = 16 * 1024;

/** The text that will be served for a checked document, or why it is too long. Its original spelling does not count. */
export function servedText(document: object): Checked<string> {
  const value = writeExactJson(document);
  if (Buffer.byteLength(value) <= SERVED_BYTES_MAX) return { ok: true, value };
  return notOk(`the document must not be larger than ${SERVED_BYTES_MAX} bytes of UTF-8 as it is served`);
}

/** What is wrong with a value, by the issues of a shape that was given {@link messageOf}. Unknown members come first: they are
 * often misspellings of the other ones. */
export function reasonOf(issues: readonly z.core.$ZodIssue[]): string {
  const isUnknown = (issue: z.core.$ZodIssue) => issue.code === "unrecognized_keys";
  const ordered = [...issues.filter(isUnknown), ...issues.filter((issue) => !isUnknown(issue))];
  const violations = ordered.flatMap(violationsOf);
  const told = violations.slice(0, VIOLATIONS_TOLD_MAX);
  const untold = violations.length - told.length;
  return [...told, ...(untold > 0 ? [`and ${untold} more`] : [])].join("; ");
}

function violationsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== "unrecognized_keys") return [`${memberPath(issue.path)} ${issue.message}`];
  return issue.keys.map(
    (name) => `${memberPath([...issue.path, name])} is not a member that the contract knows`,
  );
}

/** The message for a member whose own rule has none. */
export function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is required";
  if (issue.code === "invalid_type")
    return `must be ${/^[aeio]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  return "is not valid";
}
