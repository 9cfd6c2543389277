import type * as z from "zod/mini";
import { DocumentViolation, parseExactJson, writeExactJson } from "../../lib/json/exact-json.ts";
import { memberPath } from "../../lib/json/member-path.ts";
import { ownMember } from "../../lib/own-member.ts";

/**
 * Removes the members that a shape does not know from a document, for sources that send more than the contract shows. A
 * text that is not a document, or has no unknown members, is returned as it is, for the check that follows.
 *
 * @param onDropped called with the name of each removed member, such as `legs.note`.
 */
export function dropUnknown(shape: z.ZodMiniType, text: string, onDropped: (member: string) => void): string {
  const document = parsedOf(text);
  let isChanged = false;
  // Unknown members deeper inside are found only once their parents have none.
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
