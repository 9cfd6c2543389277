import type * as z from "zod/mini";
import { ownMember } from "../own-member.ts";
import { DocumentViolation, parseExactJson, writeExactJson } from "./exact-json.ts";
import { memberPath } from "./member-path.ts";

/**
 * A document without the members that its shape does not know, for sources that send more than the contract shows. A text
 * that is no document, or knows no others, is given back as it is: whoever checks it says what is wrong.
 *
 * @param onDropped told the name of each that is left out, such as `legs.note`.
 */
export function dropUnknown(shape: z.ZodMiniType, text: string, onDropped: (member: string) => void): string {
  const document = parsedOf(text);
  let isChanged = false;
  // Those deeper inside are found once their parents have no others.
  for (let unknown = unknownIn(shape, document); unknown.length > 0; unknown = unknownIn(shape, document)) {
    for (const { path, keys } of unknown) {
      const holder = valueAt(document, path) as object;
      for (const key of keys) {
        Reflect.deleteProperty(holder, key);
        onDropped(memberPath([...path.filter((step) => typeof step !== "number"), key]));
      }
    }
    isChanged = true;
  }
  return isChanged ? writeExactJson(document as object) : text;
}

function parsedOf(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof DocumentViolation) return undefined;
    throw error;
  }
}

function unknownIn(shape: z.ZodMiniType, document: unknown) {
  const issues = shape.safeParse(document).error?.issues ?? [];
  return issues.filter((issue) => issue.code === "unrecognized_keys");
}

const valueAt = (document: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof step === "number"
        ? (value as readonly unknown[])[step]
        : ownMember(value as Readonly<Record<string, unknown>>, String(step)),
    document,
  );
