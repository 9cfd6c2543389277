import { DocumentViolation, isExactNumber, parseExactJson } from "../../lib/json/exact-json.ts";
import { memberPath } from "../../lib/json/member-path.ts";

/** A value that holds no other, an empty list or object among them; a number has the digits it came with. */
interface Leaf {
  /** The path as a person reads it. Names are cut there, so that two paths may read alike. */
  readonly shownPath: string;
  readonly text: string;
}

/** A document by its paths, each as JSON. */
interface Outline {
  readonly leaves: Map<string, Leaf>;
  /** The lists and objects that hold something. */
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

/** What a customer would see change between two texts of a pass, a line each: what is new, what is gone, what differs. */
export function describeChange(before: string, after: string): string[] {
  try {
    const [old, now] = [outlineOf(before), outlineOf(after)];
    const paths = new Set([...old.leaves.keys(), ...now.leaves.keys()]);
    return Array.from(paths).flatMap((path) => lineOf(path, old, now));
  } catch (error) {
    if (error instanceof DocumentViolation)
      return [`  the pass changed, and cannot be compared: ${error.message}`];
    throw error;
  }
}

function lineOf(path: string, before: Outline, after: Outline): string[] {
  const [old, now] = [before.leaves.get(path), after.leaves.get(path)];
  if (old?.text === now?.text) return [];
  // Lines of its own say what an empty list or object holds now, or held.
  if (isEmpty(old) && after.holders.has(path)) return [];
  if (isEmpty(now) && before.holders.has(path)) return [];
  const name = (old ?? now)?.shownPath;
  if (old === undefined) return [`  + ${name}: ${now?.text}`];
  return now === undefined ? [`  - ${name}: ${old.text}`] : [`    ${name}: ${old.text} -> ${now.text}`];
}

const isEmpty = (leaf: Leaf | undefined): boolean => leaf?.text === "[]" || leaf?.text === "{}";
