import { createHmac, createPublicKey, type KeyObject, verify } from "node:crypto";
import {
  compressed,
  type PassAnswer,
  type PassRequest,
  REFERENCES,
  STEPS,
  type Step,
  TOKENS,
  type Traits,
} from "./pass-server.ts";

/** Changes every answer with a status. */
export const onStatus = (
  status: number,
  change: (answer: PassAnswer, request: PassRequest) => Partial<PassAnswer>,
): Traits => ({
  change: (answer, request) =>
    answer.status === status ? { ...answer, ...change(answer, request) } : answer,
});

/** Adds headers to the answers with a status, or to those with another one that it then has. */
const adding = (status: number, added: Record<string, string>, becomes = status): Traits =>
  onStatus(status, ({ headers }) => ({ status: becomes, headers: { ...headers, ...added } }));

export const without = (name: string, { headers }: PassAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name));

const dropping = (status: number, name: string): Traits =>
  onStatus(status, (answer) => ({ headers: without(name, answer) }));

const replacing = (status: number, from: string, to: string): Traits =>
  onStatus(status, ({ body }) => ({ body: body.replace(from, to) }));

type Condition = (headers: PassRequest["headers"], reference: string) => boolean;

/** Changes the answers to some requests. */
export const when = (condition: Condition, answer: Partial<PassAnswer>): Traits => ({
  change: (right, { headers, reference }) =>
    condition(headers, reference) ? { ...right, ...answer } : right,
});

/** What a request asks for, by whom, and with which tag and version; whatever is left out does not matter. */
interface Kind {
  readonly by?: keyof typeof callers;
  readonly for?: keyof typeof references;
  /** Whether it has a tag, or which one. */
  readonly tag?: boolean | string;
  readonly version?: string | RegExp;
}

const bearer = (token: string) => (authorization: string) => authorization === `Bearer ${token}`;
const callers = {
  stranger: (authorization: string) => authorization === "",
  good: bearer(TOKENS.good),
  unscoped: bearer(TOKENS.noScope),
  "no token": bearer("not-a-token"),
  /** With a token that was signed and then changed; an unsigned token was not. */
  spoiled: (authorization: string) =>
    /^Bearer aGVhZA\.Y2xhaW1z\../.test(authorization) && !bearer(TOKENS.good)(authorization),
  "spoiled and unscoped": (authorization: string) =>
    authorization.includes(".bm9zY29wZQ.") && !bearer(TOKENS.noScope)(authorization),
  unsigned: (authorization: string) => authorization.endsWith("."),
};
const references = {
  "the pass": (reference: string) => reference === REFERENCES.current,
  "an unknown one": (reference: string) => reference.startsWith("check-"),
  "one that is gone": (reference: string) => reference === REFERENCES.gone,
};

const isOf =
  ({ by, for: whose, tag, version }: Kind): Condition =>
  ({ authorization = "", "if-none-match": sent, "service-api-version": named = "none" }, reference) =>
    (by === undefined || callers[by](authorization)) &&
    (whose === undefined || references[whose](reference)) &&
    (tag === undefined || (typeof tag === "string" ? sent === tag : (sent !== undefined) === tag)) &&
    (version === undefined || (typeof version === "string" ? named === version : version.test(named)));

/** Answers requests of a kind otherwise: by another status, or with a body too. */
const to = (kind: Kind, answer: number | Partial<PassAnswer>): Traits =>
  when(isOf(kind), typeof answer === "number" ? { status: answer } : answer);

export const pass = '{"partner_reference":"ref-1","version":1}';
/** The pass, as an answer to any caller. */
export const open = { status: 200, body: pass };
const notModified = { status: 304, body: "" };

/**
 * Does as Apache's mod_deflate: the tag of a compressed answer ends in -gzip, which the endpoint behind does not know.
 */
export const renamingTags: Traits = {
  change: (answer, { headers }) => {
    const renames = answer.status === 200 && headers["accept-encoding"]?.includes("gzip");
    const etag = answer.headers.etag?.replace(/"$/, '-gzip"');
    return renames && etag ? { ...answer, headers: { ...answer.headers, etag } } : answer;
  },
};

/** Changes the 200 to a request that accepts gzip. */
const toGzip = (change: (answer: PassAnswer) => Partial<PassAnswer>): Traits => ({
  ...onStatus(200, (answer, { headers }) => (headers["accept-encoding"] === "gzip" ? change(answer) : {})),
  encoding: "latin1",
});

/** Remembers an answer of some kind, and gives it in place of the pass if the next request is a plain one. */
function remembering(isRemembered: (answer: PassAnswer, request: PassRequest) => boolean): Traits {
  let remembered: PassAnswer | undefined;
  const isPlain = isOf({ by: "good", for: "the pass", tag: false, version: "2026-07-01" });
  return {
    change: (answer, request) => {
      const given = isPlain(request.headers, request.reference) ? (remembered ?? answer) : answer;
      remembered = isRemembered(answer, request) ? answer : undefined;
      return { ...given, headers: { ...given.headers, "request-id": answer.headers["request-id"] ?? "" } };
    },
  };
}

/** Recognises a tag by the text of If-None-Match. */
const naming = (isNamed: (header: string, tag: string) => boolean): Traits => ({
  isNamed: (header = "", tag) => isNamed(header, tag),
});

const versionTaken = (version: string | RegExp): Traits => to({ version, tag: false }, open);

/** For each rule that a token suffices for, a server that breaks only that rule. */
export const breachOf: Readonly<Record<string, () => Traits>> = {
  "pass-200": () => onStatus(200, () => ({ body: "[]" })),
  "own-pass": () => replacing(200, "ref-1", "somebody-else"),
  "json-type": () => adding(200, { "content-type": "text/html" }),
  "200-gzip": () => toGzip(() => ({ status: 406, body: "" })),
  "etag-on-200": () => dropping(200, "etag"),
  "etag-form": () => ({
    tagOf: (_, version) => `tag-${version}`,
    ...naming((header, tag) => header.split(/, */).some((one) => ["*", tag, `W/${tag}`].includes(one))),
  }),
  "etag-stable": () => ({ tagOf: () => `"${Math.random()}"` }),
  "no-template-id": () => replacing(200, "{", '{"template_id":"t",'),
  "304-same-tag": () => naming((header, tag) => header === "*" || (header !== tag && header.includes(tag))),
  "304-gzip": () => renamingTags,
  "304-no-body": () => ({ tail: "{}" }),
  "304-etag": () => dropping(304, "etag"),
  "304-content-length": () => adding(304, { "content-length": "0" }),
  "304-list": () => naming((header, tag) => ["*", tag, `W/${tag}`].includes(header)),
  "304-any": () => naming((header, tag) => header.includes(tag)),
  "304-weak": () => naming((header, tag) => header === "*" || header.split(/, */).includes(tag)),
  "200-other-tag": () => naming((header, tag) => header === "*" || header.includes(tag.slice(1, -1))),
  "400-version": () => versionTaken("2999-01-01"),
  "400-old-version": () => versionTaken("1999-01-01"),
  "400-longer-version": () => versionTaken(/^2026-07-01./),
  "400-no-version": () => versionTaken("none"),
  "400-not-a-version": () => versionTaken("latest"),
  "400-before-tag": () => to({ version: "2999-01-01", tag: true }, notModified),
  "401-no-credentials": () => to({ by: "stranger", for: "the pass" }, 403),
  "401-unknown-alike": () => to({ by: "stranger", for: "an unknown one" }, 404),
  "401-gone-alike": () => to({ by: "stranger", for: "one that is gone" }, 410),
  "401-before-tag": () => to({ by: "stranger", tag: '"tag-1"' }, notModified),
  "401-before-scope": () => to({ by: "spoiled and unscoped" }, 403),
  "401-no-token": () => to({ by: "no token" }, 400),
  "401-bad-token": () => to({ by: "spoiled" }, 403),
  "401-unsigned-token": () => to({ by: "unsigned" }, open),
  "403-no-scope": () => to({ by: "unscoped" }, 401),
  "403-before-tag": () => to({ by: "unscoped", tag: true }, notModified),
  "403-unknown-alike": () => to({ by: "unscoped", for: "an unknown one" }, 404),
  "403-gone-alike": () => to({ by: "unscoped", for: "one that is gone" }, 410),
  "refusal-without-pass": () => onStatus(401, () => ({ body: pass })),
  "404-unknown": () => to({ by: "good", for: "an unknown one", tag: false }, { status: 204, body: "" }),
  "404-before-tag": () => to({ for: "an unknown one", tag: "*" }, notModified),
  "410-gone": () => to({ by: "good", for: "one that is gone" }, 404),
  "410-before-tag": () => to({ for: "one that is gone", tag: "*" }, notModified),
  "200-again": () => remembering(({ status }) => status === 401),
  "200-no-request-id": () => when((headers) => !("request-id" in headers), { status: 400 }),
  ...Object.fromEntries(
    [200, 304, 400, 401, 403, 404, 410, 429].map((status) => [
      `request-id-${status}`,
      () => adding(status, { "request-id": "mine" }),
    ]),
  ),
  "request-id-503": () => adding(429, { "request-id": "mine" }, 503),
  "200-after-change": () => ({ tagOf: () => '"always"' }),
  "burst-statuses": () => adding(429, {}, 500),
  "retry-after": () => adding(429, { "retry-after": "soon" }),
  "retry-after-kept": () => ({
    change: (answer, _, state) => {
      if (answer.status === 429) state.version = 99;
      const headers = { ...answer.headers, "retry-after": "1" };
      return state.version === 99 ? { ...answer, status: 429, headers } : answer;
    },
  }),
};

/** The steps, with some of them moved to the front. */
const first = (...moved: readonly Step[]): Traits => ({
  order: [...moved, ...STEPS.filter((step) => !moved.includes(step))],
});

/** Tags every answer with a hash of its body, and answers that tag with 304, whatever the status was. */
const taggingErrors: Traits = {
  change: (answer, { headers }) => {
    const etag = `"error-${answer.status}"`;
    if (answer.status < 400) return answer;
    const isNamed = headers["if-none-match"] === etag;
    return { ...answer, ...(isNamed && notModified), headers: { ...answer.headers, etag } };
  },
};

/** Answers from a cache that knows a request by these members alone, and keeps answers with one of these statuses. */
function caching(keyOf: (request: PassRequest) => string | undefined, kept: readonly number[]): Traits {
  const answers = new Map<string, PassAnswer>();
  return {
    change: (answer, request) => {
      const key = keyOf(request);
      if (key === undefined) return answer;
      const id = { "request-id": answer.headers["request-id"] ?? "" };
      const cached = answers.get(key);
      if (cached !== undefined) return { ...cached, headers: { ...cached.headers, ...id } };
      if (kept.includes(answer.status)) answers.set(key, answer);
      return answer;
    },
  };
}

/** Gives a compressed body to the caller after one that accepts it. */
function givingOnCompressed(): Traits {
  const keep = remembering((_, { headers }) => headers["accept-encoding"] === "gzip");
  return {
    encoding: "latin1",
    change: (answer, request, state) => {
      const isCompressed = answer.status === 200 && request.headers["accept-encoding"] === "gzip";
      return keep.change?.(isCompressed ? compressed(answer) : answer, request, state) ?? answer;
    },
  };
}

/** A server that accepts every version that passes a test. */
const taking = (isTaken: (version: string) => boolean): Traits =>
  when(
    (headers, reference) =>
      isTaken(headers["service-api-version"] ?? "none") &&
      isOf({ by: "good", for: "the pass", tag: false })(headers, reference),
    open,
  );

/** Changes the answers with a status to requests with a tag. */
const toTagged = (status: number, change: (answer: PassAnswer, tag: string) => Partial<PassAnswer>): Traits =>
  onStatus(status, (answer, { headers: { "if-none-match": tag } }) => ({
    ...(tag !== undefined && change(answer, tag)),
  }));

/** Gives strangers the body with a 401. */
const showing = (body: string): Traits => onStatus(401, () => ({ body }));

/** A kind of wrong server, and the rules that find it. */
interface WrongKind {
  readonly finds: readonly string[];
  readonly traits: () => Traits;
}

const kind = (finds: string, traits: () => Traits): WrongKind => ({ finds: finds.split(" "), traits });

const BEFORE_TAG = "400-before-tag 404-before-tag 410-before-tag";
const ALIKE = "401-unknown-alike 401-gone-alike 403-unknown-alike 403-gone-alike";

const orders: Readonly<Record<string, WrongKind>> = {
  "compares the tag before it looks at the credential": kind(
    `401-before-tag 403-before-tag ${BEFORE_TAG}`,
    () => first("tag"),
  ),
  "compares the tag after the credential and before the scope": kind(`403-before-tag ${BEFORE_TAG}`, () =>
    first("credential", "tag"),
  ),
  "compares the tag before it looks at the version": kind(BEFORE_TAG, () =>
    first("credential", "scope", "tag"),
  ),
  "compares the tag before it looks for the pass": kind("404-before-tag 410-before-tag", () =>
    first("credential", "scope", "version", "limit", "tag"),
  ),
  "looks for the pass before it looks at the credential": kind(ALIKE, () => first("pass")),
  "looks for the pass before it looks at the scope": kind("403-unknown-alike 403-gone-alike", () =>
    first("credential", "pass"),
  ),
  "uses the claims before it verifies the signature": kind("401-before-scope", () => first("scope")),
};

const tags: Readonly<Record<string, WrongKind>> = {
  "answers strangers 304 only to *": kind("401-before-tag", () =>
    to({ by: "stranger", tag: "*" }, notModified),
  ),
  "answers a changed token with 304": kind("401-before-tag", () =>
    to({ by: "spoiled", tag: '"tag-1"' }, notModified),
  ),
  "gives refusals tags and answers 304 to them": kind(
    `401-before-tag 403-before-tag ${BEFORE_TAG}`,
    () => taggingErrors,
  ),
  "sends If-None-Match back as the tag of a 304": kind("304-etag", () =>
    toTagged(304, ({ headers }, etag) => ({ headers: { ...headers, etag } })),
  ),
  "has no tag on the 304 to *": kind("304-etag", () =>
    toTagged(304, (answer, tag) => (tag === "*" ? { headers: without("etag", answer) } : {})),
  ),
  "weakens only the tag of a 304": kind("304-etag", () =>
    onStatus(304, ({ headers }) => ({ headers: { ...headers, etag: `W/${headers.etag}` } })),
  ),
  "compares tags in any case": kind("200-other-tag", () =>
    naming(
      (header, tag) => ["*", `W/${tag}`].includes(header) || header.toLowerCase().split(/, */).includes(tag),
    ),
  ),
  "reads a quoted star as *": kind("200-other-tag", () =>
    naming((header, tag) => header.includes("*") || header.includes(tag)),
  ),
  "has no tag on a 200 to another tag": kind("200-other-tag 200-after-change", () =>
    toTagged(200, (answer) => ({ headers: without("etag", answer) })),
  ),
  "sends only what has changed to a caller that has an older pass": kind("200-after-change", () => ({
    change: (answer, { headers }, { version }) =>
      answer.status === 200 && headers["if-none-match"]?.startsWith('"tag-')
        ? { ...answer, body: JSON.stringify({ version }) }
        : answer,
  })),
};

const caches: Readonly<Record<string, WrongKind>> = {
  "gives strangers a cache's answer about a pass that does not exist": kind(ALIKE, () =>
    caching(
      ({ reference, headers }) =>
        reference === REFERENCES.current || "if-none-match" in headers ? undefined : reference,
      [404, 410],
    ),
  ),
  "gives strangers a cache's answer about the pass": kind(
    "401-no-credentials 401-no-token 401-bad-token 401-unsigned-token 403-no-scope",
    () =>
      caching(
        ({ reference, headers }) =>
          isOf({ for: "the pass", tag: false })(headers, reference)
            ? headers["service-api-version"]
            : undefined,
        [200],
      ),
  ),
  "gives the wallet the refusal of a token without the scope": kind("200-again", () =>
    remembering(({ status }) => status === 403),
  ),
  "gives the wallet the refusal of another version": kind("200-again", () =>
    remembering(({ status }) => status === 400),
  ),
  "answers a request without a tag with the 304 of the one before": kind("200-again", () =>
    remembering(({ status }) => status === 304),
  ),
  "gives a compressed body to the caller after one that accepts it": kind("200-again", givingOnCompressed),
};

const versions: Readonly<Record<string, WrongKind>> = {
  "refuses only versions that are later than its own": kind("400-old-version", () =>
    taking((version) => /^[\d-]+$/.test(version) && version <= "2026-07-01"),
  ),
  "looks only at the beginning of a version": kind("400-longer-version", () =>
    taking((version) => version.startsWith("2026-07-01")),
  ),
  "reads a version as a number": kind("400-old-version 400-longer-version", () =>
    taking((version) => Number.parseInt(version, 10) <= 2026),
  ),
};

const codings: Readonly<Record<string, WrongKind>> = Object.fromEntries(
  Object.entries<(answer: PassAnswer) => Partial<PassAnswer>>({
    "does not find the pass": () => ({ status: 404 }),
    "breaks down": () => ({ status: 500, body: "" }),
    "sends no tag": (answer) => ({ headers: without("etag", answer) }),
    "sends an empty tag": ({ headers }) => ({ headers: { ...headers, etag: "" } }),
    "begins the body with a byte order mark": ({ body }) => ({ body: `\u00ef\u00bb\u00bf${body}` }),
    "names gzip and compresses nothing": ({ headers }) => ({
      headers: { ...headers, "content-encoding": "gzip" },
    }),
    "compresses and does not say so": (answer) => ({ body: compressed(answer).body }),
    "names another coding": ({ headers }) => ({ headers: { ...headers, "content-encoding": "br" } }),
    "compresses nothing, in place of the pass": (answer) => compressed({ ...answer, body: "" }),
    "compresses another pass": (answer) => compressed({ ...answer, body: '{"partner_reference":"x"}' }),
    "breaks the compressed body off": (answer) => ({
      ...compressed(answer),
      body: compressed(answer).body.slice(0, -9),
    }),
  }).map(([name, change]) => [
    `${name} to a request that accepts gzip`,
    kind("200-gzip", () => toGzip(change)),
  ]),
);

const ECHOED = [200, 304, 400, 401, 403, 404, 410, 429].map((status) => `request-id-${status}`).join(" ");
const recasing = (change: "toLowerCase" | "toUpperCase"): Traits => ({
  change: (answer) => {
    const id = answer.headers["request-id"] ?? "";
    return { ...answer, headers: { ...answer.headers, "request-id": id[change]() } };
  },
});

const others: Readonly<Record<string, WrongKind>> = {
  "echoes a Request-Id after toLowerCase": kind(ECHOED, () => recasing("toLowerCase")),
  "echoes a Request-Id after toUpperCase": kind(ECHOED, () => recasing("toUpperCase")),
  "sends a 503 with a Retry-After of no time": kind("retry-after", () =>
    adding(429, { "retry-after": "0" }, 503),
  ),
  ...Object.fromEntries(
    Object.entries<Traits>({
      "sends the pass along with a 403": onStatus(403, () => ({ body: pass })),
      "sends the pass in an envelope along with a 401": showing(`{"error":"unauthorized","data":${pass}}`),
      "sends the pass along with a 401, in another order": showing(
        '{"version":1,"partner_reference":"ref-1"}',
      ),
      "sends the pass along with a 401, with spaces, deep in an envelope": showing(
        JSON.stringify({ e: [{ data: JSON.parse(pass) }] }, null, 2),
      ),
      "sends the pass along with a 401, among the members of the error": showing(
        '{"code":"x","version":1.0,"partner_reference":"ref-1"}',
      ),
      "sends the pass along with a 401, as a text": showing(
        JSON.stringify({ code: "x", cause: JSON.stringify(JSON.parse(pass), null, 1) }),
      ),
      "shows strangers the tag of the pass in its weak form": adding(401, { etag: 'W/"tag-1"' }),
      "shows strangers the tag of the pass": adding(401, { etag: '"tag-1"' }),
    }).map(([name, traits]) => [name, kind("refusal-without-pass", () => traits)]),
  ),
};

/** Kinds of wrong servers, in words, besides those that break one rule in the simplest way. */
export const wrongKinds: Readonly<Record<string, WrongKind>> = {
  ...orders,
  ...tags,
  ...caches,
  ...versions,
  ...codings,
  ...others,
};

/** The parts of a detached JWS, as a server reads them before it verifies the signature. */
function readJws(jws: string) {
  const [head = "", signature = ""] = jws.split("..");
  const { alg, jwk } = JSON.parse(Buffer.from(head, "base64url").toString());
  return { alg, jwk, signature, signed: `${head}.` };
}

const isHmacOf = (jws: string, secret: string): boolean => {
  const { alg, signature, signed } = readJws(jws);
  return alg === "HS256" && createHmac("sha256", secret).update(signed).digest("base64url") === signature;
};

/** Accepts an HMAC as a signature, with the server's text of the public key as the secret. */
const confusing = (textOf: (key: KeyObject) => string): WrongKind =>
  kind("401-confused-jws", () => ({ believes: (jws, key) => isHmacOf(jws, textOf(key)) }));

const isBrought = (jws: string, isKnown: (kid: unknown) => boolean): boolean => {
  const { jwk, signature, signed } = readJws(jws);
  if (jwk === undefined || isKnown(jwk.kid)) return false;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  return verify(null, Buffer.from(signed), key, Buffer.from(signature, "base64url"));
};

/** Kinds of wrong servers that are found with a signing key. */
export const wrongSigners: Readonly<Record<string, WrongKind>> = {
  "looks at the header of a JWS and never at its signature": kind(
    "401-bad-jws 401-strange-jws 401-unsigned-jws 401-brought-jws 401-confused-jws",
    () => ({ believes: () => true }),
  ),
  "accepts a JWS with the algorithm none": kind("401-unsigned-jws", () => ({
    believes: (jws) => readJws(jws).alg === "none" && readJws(jws).signature === "",
  })),
  "accepts a JWS with no signature": kind("401-unsigned-jws", () => ({
    believes: (jws) => readJws(jws).alg === "EdDSA" && jws.endsWith(".."),
  })),
  "trusts the key in the header of a JWS": kind("401-brought-jws", () => ({
    believes: (jws) => isBrought(jws, () => false),
  })),
  "trusts the key in the header of a JWS if it knows no key of that name": kind("401-brought-jws", () => ({
    believes: (jws) => isBrought(jws, (kid) => kid === "k"),
  })),
  "keys an HMAC with the public JWK": confusing((key) => JSON.stringify(key.export({ format: "jwk" }))),
  "keys an HMAC with the public JWK as it was registered": confusing((key) => {
    const { kty, crv, x } = key.export({ format: "jwk" });
    return JSON.stringify({ kty, crv, x, kid: "k", alg: "EdDSA" });
  }),
  "keys an HMAC with the public key's PEM": confusing((key) =>
    String(key.export({ type: "spki", format: "pem" })),
  ),
};
