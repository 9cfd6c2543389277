import { DocumentViolation, isExactNumber, parseExactJson } from "../../lib/json/exact-json.ts";
import { memberPath } from "../../lib/json/member-path.ts";

/** A value that holds no other value, such as an empty list. A number keeps the digits that it came with. */
interface Leaf {
  /** The path as it is shown. Names in it are shortened, so that two paths may look the same. */
  readonly shownPath: string;
  readonly text: string;
}

/** The parts of a document by their paths, each path as JSON. */
interface Outline {
  readonly leaves: Map<string, Leaf>;
  /** The paths of lists and objects that are not empty. */
  readonly holders: Set<string>;
}

function outlineOf(text: string): Outline {
  const outline: Outline = { leaves: new Map(), holders: new Set() };
  const visit = (value: unknown, path: readonly PropertyKey[]): void => {
    const entries = entriesOf(value);
    const key = JSON.stringify(path);
    if (entries.length > 0) outline.holders.add(key);
    else outline.leaves.set(key, { shownPath: memberPath(path), text: JSON.stringify(value) });
    for (const [step, inner] of entries) visit(inner, [...path, step]);
  };
  visit(parseExactJson(text), []);
  return outline;
}

function entriesOf(value: unknown): [PropertyKey, unknown][] {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return [];
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value);
}

/**
 * The changes that a customer would see between two texts of a pass, of which there may be no first one: a line for each new,
 * removed or changed value.
 */
export function describeChange(before: string | undefined, after: string): string[] {
  try {
    const [old, now] = [outlineOf(before ?? "{}"), outlineOf(after)];
    const paths = new Set([...old.leaves.keys(), ...now.leaves.keys()]);
    return Array.from(paths).flatMap((path) => lineOf(path, old, now));
  } catch (error) {
    if (!(error instanceof DocumentViolation)) throw error;
    return [`  the change cannot be shown: ${error.message}`];
  }
}

function lineOf(path: string, before: Outline, after: Outline): string[] {
  const [old, now] = [before.leaves.get(path), after.leaves.get(path)];
  if (old?.text === now?.text) return [];
  // A list or object that was filled or emptied has no line: the values in it have lines of their own.
  if (isEmpty(old) && after.holders.has(path)) return [];
  if (isEmpty(now) && before.holders.has(path)) return [];
  const name = (old ?? now)?.shownPath;
  if (old === undefined) return [`  + ${name}: ${now?.text}`];
  return now === undefined ? [`  - ${name}: ${old.text}`] : [`    ${name}: ${old.text} -> ${now.text}`];
}

const isEmpty = (leaf: Leaf | undefined): boolean => leaf?.text === "[]" || leaf?.text === "{}";
