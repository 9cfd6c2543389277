import * as z from "zod/mini";
import { isMembers } from "../json-value.ts";
import { ownMember } from "../own-member.ts";
import { isExactNumber } from "./exact-json.ts";

/** Objects of documents, and which of their members may be absent. */

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

/** Whether a value of a document is an object: a number that keeps its digits is none. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isMembers(value) && !isExactNumber(value);

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  if (value === null) return true;
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

/**
 * A member that may be absent. Null, a text that is empty or blank, an empty list or object, and an object of nothing but
 * these mean absent.
 */
export function optional<Shape extends z.ZodMiniType>(shape: Shape) {
  const members = membersOf.get(shape);
  const present = z.transform((value: unknown) =>
    isEmpty(value) || isBare(value, members) ? undefined : value,
  );
  const absentOr = z.optional(z.pipe(present, z.optional(shape)));
  if (members !== undefined) membersOf.set(absentOr, members);
  return absentOr;
}

/** A member that must be there, where null and the other signs of absence mean an empty object. */
export const emptyObjectOr = <Shape extends z.ZodMiniType>(shape: Shape) =>
  z.pipe(
    z.transform((value: unknown) => (isEmpty(value) ? {} : value)),
    shape,
  );

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
