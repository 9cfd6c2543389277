import type { HttpResponse } from "../../../lib/http/respond.ts";
import { matchesIfNoneMatch } from "../../../lib/passes/entity-tag.ts";

/** One request to the partner, and what the partner knows about it. */
export interface PartnerRequest {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Lower-case name of the header of the contract version. */
  readonly versionHeader: string;
  readonly version: string;
  /** A token that is valid and has the scope. */
  readonly goodToken: string;
  /** A token that is valid and lacks the scope. */
  readonly weakToken: string;
  /** The tag of the present pass. */
  readonly tag: string;
  /** What the reference names. */
  readonly subject: "pass" | "gone" | "missing";
}

/** A fault that is made on purpose, in the request that the endpoint sees or in its answer. */
export interface PartnerFault {
  /** What the partner does, in words. */
  readonly effect: string;
  /** The rules of the contract check that find it. */
  readonly breaks: readonly string[];
  readonly headers?: (request: PartnerRequest) => Readonly<Record<string, string>>;
  readonly answer?: (response: HttpResponse, request: PartnerRequest) => HttpResponse;
}

const without = (
  headers: Readonly<Record<string, string>>,
  ...names: readonly string[]
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())));

/** Changes answers of one status. */
const onStatus =
  (status: number, change: (response: HttpResponse, request: PartnerRequest) => Partial<HttpResponse>) =>
  (response: HttpResponse, request: PartnerRequest): HttpResponse =>
    response.statusCode === status ? { ...response, ...change(response, request) } : response;

/** How a partner says that a pass is not there. */
const absent = {
  gone: { statusCode: 410, body: '{"code":"gone"}' },
  missing: { statusCode: 404, body: '{"code":"not_found"}' },
} as const;

const faults: Readonly<Record<string, PartnerFault>> = {
  "no-304": {
    effect: "ignores If-None-Match, and sends the whole pass each time",
    breaks: ["304-same-tag", "304-list", "304-any", "304-weak"],
    headers: ({ headers }) => without(headers, "if-none-match"),
  },
  "no-tag": {
    effect: "sends no ETag",
    breaks: ["etag-on-200"],
    answer: onStatus(200, ({ headers }) => ({ headers: without(headers, "etag") })),
  },
  "wrong-tag": {
    effect: "names the pass by another tag each time",
    breaks: ["etag-stable"],
    answer: onStatus(200, ({ headers }) => ({ headers: { ...headers, ETag: `"${crypto.randomUUID()}"` } })),
  },
  "other-pass": {
    effect: "answers with the pass of another customer",
    breaks: ["own-pass"],
    answer: onStatus(200, ({ body }) => ({
      body: body.replace(/"partner_reference":"[^"]*"/, '"partner_reference":"demo-3"'),
    })),
  },
  "template-id": {
    effect: "shows the template_id, which only the partner should know",
    breaks: ["no-template-id"],
    answer: onStatus(200, ({ body }) => ({ body: body.replace("{", '{"template_id":"loyalty-1",') })),
  },
  html: {
    effect: "sends the pass as text/html",
    breaks: ["json-type"],
    answer: onStatus(200, ({ headers }) => ({ headers: { ...headers, "Content-Type": "text/html" } })),
  },
  "any-version": {
    effect: "does not look at the version",
    breaks: ["400-version", "400-old-version", "400-longer-version", "400-no-version", "400-not-a-version"],
    headers: ({ headers, versionHeader, version }) => ({ ...headers, [versionHeader]: version }),
  },
  "unsigned-token": {
    effect: "reads the claims of a token, and does not verify its signature",
    breaks: ["401-bad-token", "401-unsigned-token"],
    headers: ({ headers, goodToken }) => {
      const [, claims] = (headers.authorization ?? "").split(".");
      const isOurs = claims === goodToken.split(".")[1];
      return isOurs ? { ...headers, authorization: `Bearer ${goodToken}` } : headers;
    },
  },
  "no-scope-check": {
    effect: "lets every token in, whatever its scope",
    breaks: ["403-no-scope"],
    headers: ({ headers, goodToken, weakToken }) =>
      headers.authorization === `Bearer ${weakToken}`
        ? { ...headers, authorization: `Bearer ${goodToken}` }
        : headers,
  },
  "404-first": {
    effect: "looks for the pass first, and shows strangers which exist",
    breaks: ["401-unknown-alike", "401-gone-alike", "403-unknown-alike", "403-gone-alike"],
    answer: (response, { subject }) =>
      subject === "pass" || response.statusCode === 429 ? response : { ...response, ...absent[subject] },
  },
  "tag-first": {
    effect: "compares the tag before it looks at anything else",
    breaks: ["401-before-tag", "403-before-tag", "400-before-tag", "404-before-tag", "410-before-tag"],
    answer: (response, { headers, tag }) =>
      response.statusCode !== 429 && matchesIfNoneMatch(headers["if-none-match"], tag)
        ? { ...response, statusCode: 304, headers: { ...response.headers, ETag: tag }, body: "" }
        : response,
  },
  "no-410": {
    effect: "answers 404 for a pass that is gone for good",
    breaks: ["410-gone"],
    answer: onStatus(410, () => absent.missing),
  },
  "no-request-id": {
    effect: "does not echo the Request-Id",
    breaks: [200, 304, 400, 401, 403, 404, 410, 429].map((status) => `request-id-${status}`),
    answer: (response) => ({ ...response, headers: without(response.headers, "request-id") }),
  },
  "no-retry-after": {
    effect: "does not say on a 429 when to come back",
    breaks: ["retry-after"],
    answer: onStatus(429, ({ headers }) => ({ headers: without(headers, "retry-after") })),
  },
};

/** The faults that a demo partner can have, by their names. */
export const partnerFaults: ReadonlyMap<string, PartnerFault> = new Map(Object.entries(faults));
