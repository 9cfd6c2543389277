import { isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { isMembers, parsedJson } from "../../lib/json-value.ts";
import { NotObservable } from "../checks/rule.ts";
import { BODY_BYTES_MAX, type SeenResponse } from "../wallet/http-exchange.ts";
import type { Probe } from "../wallet/wallet.ts";
import { refusedCallers } from "./bad-credentials.ts";
import { codingOf, faultOf, isSamePass } from "./pass-content.ts";
import { inLaterVersion } from "./status-rules.ts";
import {
  ask,
  askFor200,
  type Current,
  lookAgain,
  observe,
  type PassRule,
  readCurrent,
  type Seen,
  type Subject,
  shown,
} from "./subject.ts";

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

/** The current pass. @throws {NotObservable} when it is not a JSON object with a tag. */
async function readObject(subject: Subject): Promise<Current> {
  const current = await readCurrent(subject);
  if (faultOf(current, subject) !== undefined) throw new NotObservable("no JSON object in the 200");
  return current;
}

/** One entity tag (RFC 9110 8.8.3). */
const TAG = /^(?:W\/)?"[\x21\x23-\x7e\u0080-\u00ff]*"$/;

/** The pass as an object. @throws {NotObservable} when the answer is not a 200 with a JSON object. */
async function readPass(subject: Subject): Promise<Record<string, unknown>> {
  const pass = parsedJson((await askFor200(subject)).body);
  if (!isMembers(pass)) throw new NotObservable("no JSON object in the 200");
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
export const contentRules: readonly PassRule[] = [
  {
    id: "pass-200",
    rule: "A pass that exists is answered whole",
    expected: "200 with a JSON object",
    why: "A 200 is the full current pass (contract, Retrieve a pass), as one JSON object.",
    run: async (subject) => {
      const response = await ask(subject);
      const fault = faultOf(response, subject);
      const seen = `${response.status} with ${fault ?? "a JSON object"}`;
      return { holds: response.status === 200 && fault === undefined, seen };
    },
  },
  {
    id: "own-pass",
    rule: "The pass is the one that was asked for",
    expected: "partner_reference: the reference of the path",
    why: "partner_reference is the partner's own reference for the pass, without ref: in front (contract, Pass): with another one, a customer sees somebody else's pass.",
    run: async (subject) => {
      const pass = await readPass(subject);
      if (!Object.hasOwn(pass, "partner_reference"))
        throw new NotObservable("no partner_reference in the pass");
      return pass.partner_reference === subject.plan.reference
        ? { holds: true, seen: "the reference of the path" }
        : { holds: false, seen: shown(jsonOf(pass.partner_reference), subject) };
    },
  },
  {
    id: "json-type",
    rule: "The Content-Type of the body is that of JSON",
    expected: "Content-Type: application/json, or another that ends in +json",
    why: "A 200 is the full current pass (contract, Retrieve a pass), and its Content-Type says how to read it (RFC 9110 8.3). A client that relies on it reads no pass from another type than that of JSON (RFC 8259 11).",
    run: async (subject) => {
      const type = (await askFor200(subject)).headers["content-type"];
      return { holds: JSON_TYPE.test(type ?? ""), seen: `Content-Type: ${shown(type, subject)}` };
    },
  },
  {
    id: "200-gzip",
    rule: "A request that accepts gzip is answered with the same pass",
    expected: "200 with an ETag and the pass, plain or in gzip",
    why: "Accept-Encoding only lets a server choose a coding (RFC 9110 12.5.3), and Content-Encoding says which coding the body has (RFC 9110 8.4): every 200 is the full pass with an ETag (contract, Rules 1).",
    run: (subject) =>
      lookAgain(async () => {
        const current = await readObject(subject);
        const response = await ask(subject, { "Accept-Encoding": "gzip" });
        const fault = response.status === 200 ? faultOfGzip(response, current, subject) : "no pass";
        if (fault === undefined) return { holds: true, seen: "200 with the pass" };
        const now = await readCurrent(subject);
        const seen = `${response.status} with ${fault}`;
        return now.body === current.body && now.tag === current.tag
          ? { holds: false, seen, shownBy: [response.request] }
          : undefined;
      }),
  },
  {
    id: "etag-on-200",
    rule: "Every 200 carries an ETag",
    expected: "ETag: any text",
    why: "Every 200 carries an ETag (contract, Rules 1): without it no poll can end in a 304.",
    run: async (subject) => {
      const { etag } = (await askFor200(subject)).headers;
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
      const { etag = "" } = (await askFor200(subject)).headers;
      if (etag === "") throw new NotObservable("no ETag on the 200");
      return { holds: TAG.test(etag), seen: `ETag: ${shown(etag, subject)}` };
    },
  },
  {
    id: "no-template-id",
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

/** A request for the pass that every server answers differently from a plain request. */
interface Disturbance {
  readonly name: string;
  readonly status: number;
  readonly probe: Probe | (() => Promise<Probe>);
}

async function disturbancesOf(subject: Subject): Promise<readonly Disturbance[]> {
  const { reference } = subject.plan;
  const withTag = async (): Promise<Probe> => ({
    reference,
    headers: { "If-None-Match": (await readCurrent(subject)).tag },
  });
  const gzip = { reference, headers: { "Accept-Encoding": "gzip" } };
  return [
    { name: "a request with the current tag", status: 304, probe: withTag },
    { name: "a request that accepts gzip", status: 200, probe: gzip },
    { name: "a request with another version", status: 400, probe: inLaterVersion(subject) },
    ...(await refusedCallers(subject)),
  ];
}

/**
 * The wrong answer to a plain request right after a disturbance; undefined when the answer is the pass.
 *
 * @throws {NotObservable} when the disturbance is never answered with its status.
 */
async function faultAfter(subject: Subject, { name, status, probe }: Disturbance): Promise<Seen | undefined> {
  const { fault } = await lookAgain(async () => {
    const before = await observe(subject, typeof probe === "function" ? await probe() : probe, status);
    const after = await ask(subject);
    const flaw = faultOf(after, subject);
    if (after.status === 200 && flaw === undefined) return before.holds ? { fault: undefined } : undefined;
    const seen = `${after.status} with ${flaw ?? "a JSON object"} after ${name}`;
    return { fault: { holds: false, seen, shownBy: [...before.shownBy, after.request] } };
  }, `no ${status} to ${name}`);
  return fault;
}

/** The rule about caches: an answer belongs to its own request, and not to an earlier one that a cache remembers. */
export const againRule: PassRule = {
  id: "200-again",
  rule: "The pass is answered as before, whatever other requests came in between",
  expected: "200 with a JSON object",
  why: "Each request is understood by itself (RFC 9110 3.3): if a cache gives one caller's 304, coding or refusal to the next, the wallet does not get the pass (RFC 9111 2, 3.5, 4.1).",
  run: async (subject) => {
    await readObject(subject);
    // A fault after any disturbance is told before one of the disturbances that could not be made.
    let unseen: NotObservable | undefined;
    for (const disturbance of await disturbancesOf(subject))
      try {
        const fault = await faultAfter(subject, disturbance);
        if (fault !== undefined) return fault;
      } catch (error) {
        if (!(error instanceof NotObservable)) throw error;
        unseen ??= error;
      }
    if (unseen !== undefined) throw unseen;
    return { holds: true, seen: "200 with a JSON object" };
  },
};
