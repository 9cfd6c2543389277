import { isMembers, type Members, parsedJson } from "../../lib/json-value.ts";
import { ownMember } from "../../lib/own-member.ts";
import { BODY_BYTES_MAX, type SeenResponse } from "../wallet/http-exchange.ts";
import { type Subject, shown } from "./subject.ts";

/** Whether a body is a JSON object with at least one member. */
export function hasMembers(body: string): boolean {
  const document = parsedJson(body);
  return isMembers(document) && Object.keys(document).length > 0;
}

/** A JSON value and all values in it. It does not recurse, because a hostile body may have any number of levels. */
function valuesIn(value: unknown): unknown[] {
  const values = [value];
  for (const one of values) if (isHolder(one)) for (const part of Object.values(one)) values.push(part);
  return values;
}

/** Whether two JSON values are equal. It does not recurse either. */
function areEqual(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (const [left, right] of pairs) {
    if (left === right) continue;
    if (!isHolder(left) || !isHolder(right) || Array.isArray(left) !== Array.isArray(right)) return false;
    const names = Object.keys(left);
    if (names.length !== Object.keys(right).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(right, name)) return false;
      pairs.push([ownMember(left, name), ownMember(right, name)]);
    }
  }
  return true;
}

/** Whether a JSON value holds other values. */
const isHolder = (value: unknown): value is Members => typeof value === "object" && value !== null;

/**
 * Whether a body contains a pass anywhere and in any form: its bytes, an object with its members, or a string of such
 * an object. A pass whose only member is `partner_reference` does not count: the caller knows the reference, and an
 * error may name it.
 */
export function hasPass(body: string, pass: string): boolean {
  const members = parsedJson(pass);
  if (!isMembers(members)) return false;
  const names = Object.keys(members);
  if (names.every((name) => name === "partner_reference")) return false;
  if (body.includes(pass.trim())) return true;
  const values = valuesIn(parsedJson(body));
  const texts = values.filter((value) => typeof value === "string");
  return [...values, ...texts.flatMap((text) => valuesIn(parsedJson(text)))].some(
    (value) =>
      isMembers(value) &&
      names.every(
        (name) => Object.hasOwn(value, name) && areEqual(ownMember(value, name), ownMember(members, name)),
      ),
  );
}

/**
 * Whether two bodies with one tag are the same pass. Under a weak tag the bytes may differ (RFC 9110 8.8.1), as long as
 * the names of the members are the same.
 */
export function isSamePass(one: string, other: string, tag: string): boolean {
  if (one === other || !tag.startsWith("W/")) return one === other;
  const [names, others] = [parsedJson(one), parsedJson(other)].map((pass) =>
    isMembers(pass) ? Object.keys(pass).sort().join("\n") : undefined,
  );
  return names !== undefined && names === others;
}

/** Why the answer to a request without Accept-Encoding is not a JSON object; undefined when it is one. */
export function faultOf(response: SeenResponse, subject: Subject): string | undefined {
  const coding = codingOf(response);
  return coding === "identity"
    ? faultOfBody(response)
    : `Content-Encoding: ${shown(coding, subject)}, unasked`;
}

export const codingOf = ({ headers }: SeenResponse): string =>
  (headers["content-encoding"] ?? "identity").toLowerCase();

function faultOfBody({ body, bytes, isCut, isUtf8: isText }: SeenResponse): string | undefined {
  if (isCut) return `a body of more than ${BODY_BYTES_MAX} bytes`;
  const mark = byteOrderMark(bytes);
  if (mark !== undefined)
    return `a body that begins with a byte order mark (${mark}), which JSON must not have`;
  if (!isText) return "a body that is not UTF-8";
  return isMembers(parsedJson(body)) ? undefined : "no JSON object";
}

/** The mark that a body begins with, as hex; undefined for a body without one (RFC 8259 8.1). */
const byteOrderMark = (bytes: Buffer): string | undefined =>
  ["efbbbf", "feff", "fffe"]
    .find((mark) => bytes.toString("hex", 0, mark.length / 2) === mark)
    ?.toUpperCase()
    .replaceAll(/..(?!$)/g, "$& ");
