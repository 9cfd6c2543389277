import type { ParsedTwice } from "./exact-json.ts";

/**
 * What is checked of an answer: `text`, `integer`, `decimal` (a number in JSON), `object` (any members), a list of one
 * shape, or members by name. A name that ends with a question mark may be absent. Members that are not named pass: a
 * release may add one.
 */
export type Shape = "text" | "integer" | "decimal" | "object" | readonly [Shape] | ShapeOfMembers;

interface ShapeOfMembers {
  readonly [member: string]: Shape;
}

/**
 * Holds a parsed document to a shape, and turns each integer of `exact` into a number: only decimals need their text.
 *
 * @returns the path of a member that does not fit, such as `legs[0].amount`; undefined when all fit.
 */
export function findMisfit(shape: Shape, { plain, exact }: ParsedTwice, path = ""): string | undefined {
  if (typeof shape === "string") return fits(shape, plain) ? undefined : path || "the document";
  if (isListShape(shape)) {
    if (!Array.isArray(plain)) return path || "the document";
    for (const [at, item] of plain.entries()) {
      const misfit = findMisfit(shape[0], { plain: item, exact: (exact as unknown[])[at] }, `${path}[${at}]`);
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  }
  if (!fits("object", plain)) return path || "the document";
  return findMisfitMember(shape, plain as Members, exact as Members, path === "" ? "" : `${path}.`);
}

type Members = Record<string, unknown>;

function findMisfitMember(
  shape: ShapeOfMembers,
  plain: Members,
  exact: Members,
  prefix: string,
): string | undefined {
  for (const { name, isOptional, within } of membersOf(shape)) {
    const value = plain[name];
    if (value === undefined && isOptional) continue;
    if (typeof within === "string") {
      if (!fits(within, value)) return `${prefix}${name}`;
      if (within === "integer") exact[name] = value;
      continue;
    }
    const misfit = findMisfit(within, { plain: value, exact: exact[name] }, `${prefix}${name}`);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function fits(kind: "text" | "integer" | "decimal" | "object", value: unknown): boolean {
  if (kind === "text") return typeof value === "string";
  if (kind === "integer") return Number.isSafeInteger(value);
  if (kind === "decimal") return typeof value === "number";
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isListShape = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly within: Shape;
}

/** The members of each shape, taken apart once: a page has thousands of records. */
const known = new WeakMap<ShapeOfMembers, readonly Member[]>();

function membersOf(shape: ShapeOfMembers): readonly Member[] {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const members = Object.entries(shape).map(([name, within]) => {
    const isOptional = name.endsWith("?");
    return { name: isOptional ? name.slice(0, -1) : name, isOptional, within };
  });
  known.set(shape, members);
  return members;
}
