import { DocumentFault, isExactNumber, parseExactJson } from "../../lib/json/exact-json.ts";
import { memberPath } from "../../lib/json/member-path.ts";

/** Every value within a document, by its path; numbers with the digits they came with. */
function leavesOf(
  value: unknown,
  path: readonly PropertyKey[],
  leaves: Map<string, string>,
): Map<string, string> {
  if (typeof value !== "object" || value === null || isExactNumber(value)) {
    leaves.set(memberPath(path), JSON.stringify(value));
    return leaves;
  }
  const entries: [PropertyKey, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, inner] of entries) leavesOf(inner, [...path, key], leaves);
  return leaves;
}

/** What a customer would see change between two texts of a pass, a line each: what is new, what is gone, what differs. */
export function describeChange(before: string, after: string): string[] {
  try {
    const [old, now] = [before, after].map((text) =>
      leavesOf(parseExactJson(text), [], new Map<string, string>()),
    );
    const paths = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
    return Array.from(paths).flatMap((path) => lineOf(path, old?.get(path), now?.get(path)));
  } catch (error) {
    if (error instanceof DocumentFault)
      return [`  the pass changed, and cannot be compared: ${error.message}`];
    throw error;
  }
}

function lineOf(path: string, old: string | undefined, now: string | undefined): string[] {
  if (old === now) return [];
  if (old === undefined) return [`  + ${path}: ${now}`];
  return now === undefined ? [`  - ${path}: ${old}`] : [`    ${path}: ${old} -> ${now}`];
}
