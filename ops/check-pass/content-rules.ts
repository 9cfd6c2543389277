import { isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { ownMember } from "../../lib/own-member.ts";
import { BODY_BYTES_MAX, type SeenResponse } from "../wallet/http-exchange.ts";
import {
  type Current,
  lastSent,
  lookAgain,
  NotObservable,
  type Rule,
  readCurrent,
  type Subject,
  shown,
} from "./rule.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  isHolder(value) && !Array.isArray(value);

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether a body is a JSON object with at least one member. */
export function hasMembers(body: string): boolean {
  const document = parse(body);
  return isObject(document) && Object.keys(document).length > 0;
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
const isHolder = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/**
 * Whether a body contains a pass anywhere and in any form: its bytes, an object with its members, or a string of such
 * an object. A pass whose only member is `partner_reference` does not count: the caller knows the reference, and an
 * error may name it.
 */
export function hasPass(body: string, pass: string): boolean {
  const members = parse(pass);
  if (!isObject(members)) return false;
  const names = Object.keys(members);
  if (names.every((name) => name === "partner_reference")) return false;
  if (body.includes(pass.trim())) return true;
  const values = valuesIn(parse(body));
  const texts = values.filter((value) => typeof value === "string");
  return [...values, ...texts.flatMap((text) => valuesIn(parse(text)))].some(
    (value) =>
      isObject(value) &&
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
  const [names, others] = [parse(one), parse(other)].map((pass) =>
    isObject(pass) ? Object.keys(pass).sort().join("\n") : undefined,
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

const codingOf = ({ headers }: SeenResponse): string =>
  (headers["content-encoding"] ?? "identity").toLowerCase();

function faultOfBody({ body, bytes, isCut, isUtf8: isText }: SeenResponse): string | undefined {
  if (isCut) return `a body of more than ${BODY_BYTES_MAX} bytes`;
  const mark = byteOrderMark(bytes);
  if (mark !== undefined)
    return `a body that begins with a byte order mark (${mark}), which JSON must not have`;
  if (!isText) return "a body that is not UTF-8";
  return isObject(parse(body)) ? undefined : "no JSON object";
}

/** The mark that a body begins with, as hex; undefined for a body without one (RFC 8259 8.1). */
const byteOrderMark = (bytes: Buffer): string | undefined =>
  ["efbbbf", "feff", "fffe"]
    .find((mark) => bytes.toString("hex", 0, mark.length / 2) === mark)
    ?.toUpperCase()
    .replaceAll(/..(?!$)/g, "$& ");

/** Both names of one coding (RFC 9110 8.4.1.3). */
const GZIP = ["gzip", "x-gzip"];

/** An answer with its body unpacked from gzip; undefined when the body cannot be unpacked. */
function uncompressed(response: SeenResponse): SeenResponse | undefined {
  if (response.isCut || !GZIP.includes(codingOf(response))) return response;
  const { "content-encoding": _, ...headers } = response.headers;
  try {
    const bytes = gunzipSync(response.bytes, { maxOutputLength: BODY_BYTES_MAX });
    const body = bytes.toString("utf8");
    return { ...response, headers, body, bytes, bodyBytes: bytes.length, isUtf8: isUtf8(bytes) };
  } catch {
    return undefined;
  }
}

/** The fault of a 200 to a request that accepts gzip; undefined when it is the current pass. */
function faultOfGzip(response: SeenResponse, { body, tag }: Current, subject: Subject): string | undefined {
  const { etag = "" } = response.headers;
  if (etag === "") return "no ETag";
  const plain = uncompressed(response);
  if (plain === undefined) return "Content-Encoding: gzip over a body that is not gzip";
  // Compression may weaken the tag, and under a weak tag the bytes may differ.
  const isSame = isSamePass(plain.body, body, etag.startsWith("W/") ? etag : tag);
  return faultOf(plain, subject) ?? (isSame ? undefined : "another body");
}

/** The ETag of the pass. @throws {NotObservable} when the answer is not a 200. */
async function readTag({ wallet, plan }: Subject): Promise<string | undefined> {
  const { status, headers } = await wallet.get({ reference: plan.reference });
  if (status !== 200) throw new NotObservable("no 200 for the reference");
  return headers.etag;
}

/** One entity tag (RFC 9110 8.8.3). */
const TAG = /^(?:W\/)?"[\x21\x23-\x7e\u0080-\u00ff]*"$/;

/** The pass as an object. @throws {NotObservable} when the answer is not a 200 with a JSON object. */
async function readPass({ wallet, plan }: Subject): Promise<Record<string, unknown>> {
  const { status, body } = await wallet.get({ reference: plan.reference });
  if (status !== 200) throw new NotObservable("no 200 for the reference");
  const pass = parse(body);
  if (!isObject(pass)) throw new NotObservable("no JSON object in the 200");
  return pass;
}

/** A value as JSON; one that is nested too deep to be written is only named. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "a value of too many levels";
  }
}

/** One media type (RFC 9110 8.3.1), with any parameters, that is JSON or ends in +json (RFC 6839 3.1). */
const JSON_TYPE = /^application\/(?:json|[!#$&^_.+a-z0-9-]+\+json)[ \t]*(?:;[^,]*)?$/i;

/** The rules about a 200. */
export const contentRules: readonly Rule[] = [
  {
    id: "pass-200",
    level: "contract",
    rule: "A pass that exists is answered whole",
    expected: "200 with a JSON object",
    why: "A 200 is the full current pass (contract, Retrieve a pass), as one JSON object.",
    run: async (subject) => {
      const response = await subject.wallet.get({ reference: subject.plan.reference });
      const fault = faultOf(response, subject);
      return {
        holds: response.status === 200 && fault === undefined,
        seen: `${response.status} with ${fault ?? "a JSON object"}`,
      };
    },
  },
  {
    id: "own-pass",
    level: "contract",
    rule: "The pass is the one that was asked for",
    expected: "partner_reference: the reference of the path",
    why: "partner_reference is the partner's own reference for the pass, without ref: in front (contract, Pass): with another one, a customer sees somebody else's pass.",
    run: async (subject) => {
      const pass = await readPass(subject);
      if (!Object.hasOwn(pass, "partner_reference"))
        throw new NotObservable("no partner_reference in the pass");
      const seen = pass.partner_reference;
      const isOwn = seen === subject.plan.reference;
      return {
        holds: isOwn,
        seen: isOwn ? "the reference of the path" : shown(jsonOf(seen), subject),
      };
    },
  },
  {
    id: "json-type",
    level: "RFC",
    rule: "The Content-Type of the body is that of JSON",
    expected: "Content-Type: application/json, or another that ends in +json",
    why: "Content-Type says how to read the body (RFC 9110 8.3), and that of JSON is application/json (RFC 8259 11): a client that relies on it does not read another type as a pass.",
    run: async (subject) => {
      const { status, headers } = await subject.wallet.get({ reference: subject.plan.reference });
      if (status !== 200) throw new NotObservable("no 200 for the reference");
      const type = headers["content-type"];
      return { holds: JSON_TYPE.test(type ?? ""), seen: `Content-Type: ${shown(type, subject)}` };
    },
  },
  {
    id: "200-gzip",
    level: "contract",
    rule: "A request that accepts gzip is answered with the same pass",
    expected: "200 with an ETag and the pass, plain or in gzip",
    why: "Accept-Encoding only lets a server choose a coding (RFC 9110 12.5.3), and Content-Encoding says which coding the body has (RFC 9110 8.4): every 200 is the full pass with an ETag (contract, Rules 1).",
    run: (subject) =>
      lookAgain(async () => {
        const current = await readCurrent(subject);
        if (faultOf(current, subject) !== undefined) throw new NotObservable("no JSON object in the 200");
        const { wallet, plan } = subject;
        const headers = { "Accept-Encoding": "gzip" };
        const response = await wallet.get({ reference: plan.reference, headers });
        const shownBy = [lastSent(wallet)];
        const fault = response.status === 200 ? faultOfGzip(response, current, subject) : "no pass";
        if (fault === undefined) return { holds: true, seen: "200 with the pass" };
        const now = await readCurrent(subject);
        return now.body === current.body && now.tag === current.tag
          ? { holds: false, seen: `${response.status} with ${fault}`, shownBy }
          : undefined;
      }),
  },
  {
    id: "etag-on-200",
    level: "contract",
    rule: "Every 200 carries an ETag",
    expected: "ETag: any text",
    why: "Every 200 carries an ETag (contract, Rules 1): without it no poll can end in a 304.",
    run: async (subject) => {
      const etag = await readTag(subject);
      return { holds: (etag ?? "") !== "", seen: `ETag: ${shown(etag, subject) || "empty"}` };
    },
  },
  {
    id: "etag-form",
    level: "RFC",
    rule: "The ETag is one quoted tag",
    expected: 'ETag: "…", or W/"…"',
    why: "A tag is a text in quotes (RFC 9110 8.8.3): libraries and proxies drop one without them, and no poll through them ends in a 304.",
    run: async (subject) => {
      const etag = await readTag(subject);
      if (etag === undefined || etag === "") throw new NotObservable("no ETag on the 200");
      return { holds: TAG.test(etag), seen: `ETag: ${shown(etag, subject)}` };
    },
  },
  {
    id: "no-template-id",
    level: "contract",
    rule: "template_id is never in the response",
    expected: "no member of this name at the top level",
    why: "template_id is never included in this answer (contract, Pass).",
    run: async (subject) => {
      // Partners choose the names of members within semantics.
      const isThere = Object.hasOwn(await readPass(subject), "template_id");
      return { holds: !isThere, seen: isThere ? "template_id in the body" : "none" };
    },
  },
];
