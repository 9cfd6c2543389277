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

/** Changes the answers to some requests. */
export const when = (
  condition: (headers: PassRequest["headers"], reference: string) => boolean,
  answer: Partial<PassAnswer>,
): Traits => ({
  change: (right, { headers, reference }) =>
    condition(headers, reference) ? { ...right, ...answer } : right,
});

export const without = (name: string, { headers }: PassAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name));

export const pass = '{"partner_reference":"ref-1","version":1}';
/** The pass, as an answer to any caller. */
export const open = { status: 200, body: pass };
const notModified = { status: 304, body: "" };

const isStranger: Parameters<typeof when>[0] = ({ authorization }) => authorization === undefined;
const isGood: Parameters<typeof when>[0] = ({ authorization }) => authorization === `Bearer ${TOKENS.good}`;
const isUnscoped: Parameters<typeof when>[0] = ({ authorization }) =>
  authorization === `Bearer ${TOKENS.noScope}`;
/** Whether a token was signed and then changed; an unsigned token was not. */
const isSpoiled: Parameters<typeof when>[0] = (headers, reference) =>
  /^Bearer aGVhZA\.Y2xhaW1z\../.test(headers.authorization ?? "") && !isGood(headers, reference);

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
  encoding: "latin1",
  change: (answer, { headers }) =>
    answer.status === 200 && headers["accept-encoding"] === "gzip"
      ? { ...answer, ...change(answer) }
      : answer,
});

/** Remembers an answer of some kind, and gives it in place of the pass if the next request is a plain one. */
function remembering(isRemembered: (answer: PassAnswer, request: PassRequest) => boolean): Traits {
  let remembered: PassAnswer | undefined;
  return {
    change: (answer, request) => {
      const isPlain =
        request.reference === REFERENCES.current &&
        isGood(request.headers, "") &&
        !("if-none-match" in request.headers) &&
        request.headers["service-api-version"] === "2026-07-01";
      const given = isPlain && remembered !== undefined ? remembered : answer;
      remembered = isRemembered(answer, request) ? answer : undefined;
      return { ...given, headers: { ...given.headers, "request-id": answer.headers["request-id"] ?? "" } };
    },
  };
}

/** For each rule that a token suffices for, a server that breaks only that rule. */
export const breachOf: Readonly<Record<string, () => Traits>> = {
  "pass-200": () => onStatus(200, () => ({ body: "[]" })),
  "own-pass": () => onStatus(200, ({ body }) => ({ body: body.replace("ref-1", "somebody-else") })),
  "json-type": () =>
    onStatus(200, ({ headers }) => ({ headers: { ...headers, "content-type": "text/html" } })),
  "200-gzip": () => toGzip(() => ({ status: 406, body: "" })),
  "etag-on-200": () => onStatus(200, (answer) => ({ headers: without("etag", answer) })),
  "etag-form": () => ({
    tagOf: (_, version) => `tag-${version}`,
    isNamed: (header = "", tag) => header.split(/, */).some((one) => ["*", tag, `W/${tag}`].includes(one)),
  }),
  "etag-stable": () => ({ tagOf: () => `"${Math.random()}"` }),
  "no-template-id": () => onStatus(200, ({ body }) => ({ body: body.replace("{", '{"template_id":"t",') })),
  "304-same-tag": () => ({
    isNamed: (header, tag) => header === "*" || (header !== tag && (header?.includes(tag) ?? false)),
  }),
  "304-gzip": () => renamingTags,
  "304-no-body": () => ({ tail: "{}" }),
  "304-etag": () => onStatus(304, (answer) => ({ headers: without("etag", answer) })),
  "304-content-length": () =>
    onStatus(304, ({ headers }) => ({ headers: { ...headers, "content-length": "0" } })),
  "304-list": () => ({ isNamed: (header, tag) => header === "*" || header === tag || header === `W/${tag}` }),
  "304-any": () => ({ isNamed: (header, tag) => header?.includes(tag) ?? false }),
  "304-weak": () => ({
    isNamed: (header, tag) => header === "*" || (header ?? "").split(/, */).includes(tag),
  }),
  "200-other-tag": () => ({
    isNamed: (header, tag) => header === "*" || (header?.includes(tag.slice(1, -1)) ?? false),
  }),
  "400-version": () =>
    when((headers) => headers["service-api-version"] === "2999-01-01" && !("if-none-match" in headers), open),
  "400-old-version": () =>
    when((headers) => headers["service-api-version"] === "1999-01-01" && !("if-none-match" in headers), open),
  "400-longer-version": () =>
    when(
      (headers) => /^2026-07-01./.test(headers["service-api-version"] ?? "") && !("if-none-match" in headers),
      open,
    ),
  "400-no-version": () =>
    when((headers) => !("service-api-version" in headers) && !("if-none-match" in headers), open),
  "400-not-a-version": () =>
    when((headers) => headers["service-api-version"] === "latest" && !("if-none-match" in headers), open),
  "400-before-tag": () =>
    when(
      (headers) => headers["service-api-version"] === "2999-01-01" && "if-none-match" in headers,
      notModified,
    ),
  "401-no-credentials": () =>
    when((headers, reference) => isStranger(headers, "") && reference === REFERENCES.current, {
      status: 403,
    }),
  "401-unknown-alike": () =>
    when((headers, reference) => isStranger(headers, "") && reference.startsWith("check-"), { status: 404 }),
  "401-gone-alike": () =>
    when((headers, reference) => isStranger(headers, "") && reference === REFERENCES.gone, { status: 410 }),
  "401-before-tag": () =>
    when((headers) => isStranger(headers, "") && headers["if-none-match"] === '"tag-1"', notModified),
  "401-before-scope": () =>
    when(
      ({ authorization = "" }) =>
        authorization.includes(".bm9zY29wZQ.") && authorization !== `Bearer ${TOKENS.noScope}`,
      { status: 403 },
    ),
  "401-no-token": () => when(({ authorization }) => authorization === "Bearer not-a-token", { status: 400 }),
  "401-bad-token": () => when(isSpoiled, { status: 403 }),
  "401-unsigned-token": () => when((headers) => headers.authorization?.endsWith(".") ?? false, open),
  "403-no-scope": () => when(isUnscoped, { status: 401 }),
  "403-before-tag": () =>
    when((headers) => isUnscoped(headers, "") && "if-none-match" in headers, notModified),
  "403-unknown-alike": () =>
    when((headers, reference) => isUnscoped(headers, "") && reference.startsWith("check-"), { status: 404 }),
  "403-gone-alike": () =>
    when((headers, reference) => isUnscoped(headers, "") && reference === REFERENCES.gone, { status: 410 }),
  "refusal-without-pass": () => onStatus(401, () => ({ body: pass })),
  "404-unknown": () =>
    when(
      (headers, reference) =>
        reference.startsWith("check-") && isGood(headers, "") && !("if-none-match" in headers),
      { status: 204, body: "" },
    ),
  "404-before-tag": () =>
    when(
      (headers, reference) => reference.startsWith("check-") && headers["if-none-match"] === "*",
      notModified,
    ),
  "410-gone": () =>
    when((headers, reference) => reference === REFERENCES.gone && isGood(headers, ""), { status: 404 }),
  "410-before-tag": () =>
    when(
      (headers, reference) => reference === REFERENCES.gone && headers["if-none-match"] === "*",
      notModified,
    ),
  "200-again": () => remembering(({ status }) => status === 401),
  "200-no-request-id": () => when((headers) => !("request-id" in headers), { status: 400 }),
  ...Object.fromEntries(
    [200, 304, 400, 401, 403, 404, 410, 429].map((status) => [
      `request-id-${status}`,
      () => onStatus(status, ({ headers }) => ({ headers: { ...headers, "request-id": "mine" } })),
    ]),
  ),
  "request-id-503": () =>
    onStatus(429, ({ headers }) => ({ status: 503, headers: { ...headers, "request-id": "mine" } })),
  "200-after-change": () => ({ tagOf: () => '"always"' }),
  "burst-statuses": () => onStatus(429, ({ headers }) => ({ status: 500, headers })),
  "retry-after": () => onStatus(429, (answer) => ({ headers: { ...answer.headers, "retry-after": "soon" } })),
  "retry-after-kept": () => ({
    change: (answer, _, state) => {
      if (answer.status === 429) state.version = 99;
      return state.version === 99
        ? { ...answer, status: 429, headers: { ...answer.headers, "retry-after": "1" } }
        : answer;
    },
  }),
};

/** The steps, with some of them moved to the front. */
const first = (...moved: readonly Step[]): readonly Step[] => [
  ...moved,
  ...STEPS.filter((step) => !moved.includes(step)),
];

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

/** A kind of wrong server, and the rules that find it. */
export interface WrongKind {
  readonly finds: readonly string[];
  readonly traits: () => Traits;
}

const orders: Readonly<Record<string, WrongKind>> = {
  "compares the tag before it looks at the credential": {
    finds: ["401-before-tag", "403-before-tag", "400-before-tag", "404-before-tag", "410-before-tag"],
    traits: () => ({ order: first("tag") }),
  },
  "compares the tag after the credential and before the scope": {
    finds: ["403-before-tag", "400-before-tag", "404-before-tag", "410-before-tag"],
    traits: () => ({ order: first("credential", "tag") }),
  },
  "compares the tag before it looks at the version": {
    finds: ["400-before-tag", "404-before-tag", "410-before-tag"],
    traits: () => ({ order: first("credential", "scope", "tag") }),
  },
  "compares the tag before it looks for the pass": {
    finds: ["404-before-tag", "410-before-tag"],
    traits: () => ({ order: ["credential", "scope", "version", "limit", "tag", "pass"] }),
  },
  "looks for the pass before it looks at the credential": {
    finds: ["401-unknown-alike", "401-gone-alike", "403-unknown-alike", "403-gone-alike"],
    traits: () => ({ order: first("pass") }),
  },
  "looks for the pass before it looks at the scope": {
    finds: ["403-unknown-alike", "403-gone-alike"],
    traits: () => ({ order: first("credential", "pass") }),
  },
  "uses the claims before it verifies the signature": {
    finds: ["401-before-scope"],
    traits: () => ({ order: first("scope") }),
  },
};

const tags: Readonly<Record<string, WrongKind>> = {
  "answers strangers 304 only to *": {
    finds: ["401-before-tag"],
    traits: () => when((headers) => isStranger(headers, "") && headers["if-none-match"] === "*", notModified),
  },
  "answers a changed token with 304": {
    finds: ["401-before-tag"],
    traits: () =>
      when((headers) => isSpoiled(headers, "") && headers["if-none-match"] === '"tag-1"', notModified),
  },
  "gives refusals tags and answers 304 to them": {
    finds: ["401-before-tag", "403-before-tag", "400-before-tag", "404-before-tag", "410-before-tag"],
    traits: () => taggingErrors,
  },
  "sends If-None-Match back as the tag of a 304": {
    finds: ["304-etag"],
    traits: () =>
      onStatus(304, ({ headers }, request) => ({
        headers: { ...headers, etag: request.headers["if-none-match"] ?? "" },
      })),
  },
  "has no tag on the 304 to *": {
    finds: ["304-etag"],
    traits: () => ({
      change: (answer, { headers }) =>
        answer.status === 304 && headers["if-none-match"] === "*"
          ? { ...answer, headers: without("etag", answer) }
          : answer,
    }),
  },
  "weakens only the tag of a 304": {
    finds: ["304-etag"],
    traits: () => onStatus(304, ({ headers }) => ({ headers: { ...headers, etag: `W/${headers.etag}` } })),
  },
  "compares tags in any case": {
    finds: ["200-other-tag"],
    traits: () => ({
      isNamed: (header = "", tag) =>
        header === "*" || header.toLowerCase().split(/, */).includes(tag) || header === `W/${tag}`,
    }),
  },
  "reads a quoted star as *": {
    finds: ["200-other-tag"],
    traits: () => ({ isNamed: (header = "", tag) => header.includes("*") || header.includes(tag) }),
  },
  "has no tag on a 200 to another tag": {
    finds: ["200-other-tag", "200-after-change"],
    traits: () => ({
      change: (answer, { headers }) =>
        answer.status === 200 && "if-none-match" in headers
          ? { ...answer, headers: without("etag", answer) }
          : answer,
    }),
  },
  "sends only what has changed to a caller that has an older pass": {
    finds: ["200-after-change"],
    traits: () => ({
      change: (answer, { headers }, { version }) =>
        answer.status === 200 && headers["if-none-match"]?.startsWith('"tag-')
          ? { ...answer, body: JSON.stringify({ version }) }
          : answer,
    }),
  },
};

const caches: Readonly<Record<string, WrongKind>> = {
  "gives strangers a cache's answer about a pass that does not exist": {
    finds: ["401-unknown-alike", "401-gone-alike", "403-unknown-alike", "403-gone-alike"],
    traits: () =>
      caching(
        ({ reference, headers }) =>
          reference === REFERENCES.current || "if-none-match" in headers ? undefined : reference,
        [404, 410],
      ),
  },
  "gives strangers a cache's answer about the pass": {
    finds: ["401-no-credentials", "401-no-token", "401-bad-token", "401-unsigned-token", "403-no-scope"],
    traits: () =>
      caching(
        ({ reference, headers }) =>
          reference === REFERENCES.current && !("if-none-match" in headers)
            ? headers["service-api-version"]
            : undefined,
        [200],
      ),
  },
  "gives the wallet the refusal of a token without the scope": {
    finds: ["200-again"],
    traits: () => remembering(({ status }) => status === 403),
  },
  "gives the wallet the refusal of another version": {
    finds: ["200-again"],
    traits: () => remembering(({ status }) => status === 400),
  },
  "answers a request without a tag with the 304 of the one before": {
    finds: ["200-again"],
    traits: () => remembering(({ status }) => status === 304),
  },
  "gives a compressed body to the caller after one that accepts it": {
    finds: ["200-again"],
    traits: () => {
      const keep = remembering((_, { headers }) => headers["accept-encoding"] === "gzip");
      return {
        encoding: "latin1",
        change: (answer, request, state) => {
          const isCompressed = answer.status === 200 && request.headers["accept-encoding"] === "gzip";
          return keep.change?.(isCompressed ? compressed(answer) : answer, request, state) ?? answer;
        },
      };
    },
  },
};

/** A server that accepts every version that passes a test. */
const taking = (isTaken: (version: string) => boolean): Traits =>
  when(
    (headers, reference) =>
      isTaken(headers["service-api-version"] ?? "none") &&
      isGood(headers, "") &&
      reference === REFERENCES.current &&
      !("if-none-match" in headers),
    open,
  );

const versions: Readonly<Record<string, WrongKind>> = {
  "refuses only versions that are later than its own": {
    finds: ["400-old-version"],
    traits: () => taking((version) => /^[\d-]+$/.test(version) && version <= "2026-07-01"),
  },
  "looks only at the beginning of a version": {
    finds: ["400-longer-version"],
    traits: () => taking((version) => version.startsWith("2026-07-01")),
  },
  "reads a version as a number": {
    finds: ["400-old-version", "400-longer-version"],
    traits: () => taking((version) => Number.parseInt(version, 10) <= 2026),
  },
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
    { finds: ["200-gzip"], traits: () => toGzip(change) },
  ]),
);

const others: Readonly<Record<string, WrongKind>> = {
  ...Object.fromEntries(
    (["toLowerCase", "toUpperCase"] as const).map((change) => [
      `echoes a Request-Id after ${change}`,
      {
        finds: [200, 304, 400, 401, 403, 404, 410, 429].map((status) => `request-id-${status}`),
        traits: (): Traits => ({
          change: (answer) => {
            const id = answer.headers["request-id"] ?? "";
            return { ...answer, headers: { ...answer.headers, "request-id": id[change]() } };
          },
        }),
      },
    ]),
  ),
  "sends the pass along with a 403": {
    finds: ["refusal-without-pass"],
    traits: () => onStatus(403, () => ({ body: pass })),
  },
  "sends the pass in an envelope along with a 401": {
    finds: ["refusal-without-pass"],
    traits: () => onStatus(401, () => ({ body: `{"error":"unauthorized","data":${pass}}` })),
  },
  ...Object.fromEntries(
    Object.entries<string>({
      "in another order": '{"version":1,"partner_reference":"ref-1"}',
      "with spaces, deep in an envelope": JSON.stringify({ e: [{ data: JSON.parse(pass) }] }, null, 2),
      "among the members of the error": '{"code":"x","version":1.0,"partner_reference":"ref-1"}',
      "as a text": JSON.stringify({ code: "x", cause: JSON.stringify(JSON.parse(pass), null, 1) }),
    }).map(([how, body]) => [
      `sends the pass along with a 401, ${how}`,
      { finds: ["refusal-without-pass"], traits: () => onStatus(401, () => ({ body })) },
    ]),
  ),
  "shows strangers the tag of the pass in its weak form": {
    finds: ["refusal-without-pass"],
    traits: () => onStatus(401, ({ headers }) => ({ headers: { ...headers, etag: 'W/"tag-1"' } })),
  },
  "shows strangers the tag of the pass": {
    finds: ["refusal-without-pass"],
    traits: () => onStatus(401, ({ headers }) => ({ headers: { ...headers, etag: '"tag-1"' } })),
  },
  "sends a 503 with a Retry-After of no time": {
    finds: ["retry-after"],
    traits: () =>
      onStatus(429, ({ headers }) => ({ status: 503, headers: { ...headers, "retry-after": "0" } })),
  },
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
const confusing = (textOf: (key: KeyObject) => string): WrongKind => ({
  finds: ["401-confused-jws"],
  traits: () => ({ believes: (jws, key) => isHmacOf(jws, textOf(key)) }),
});

const isBrought = (jws: string, isKnown: (kid: unknown) => boolean): boolean => {
  const { jwk, signature, signed } = readJws(jws);
  if (jwk === undefined || isKnown(jwk.kid)) return false;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  return verify(null, Buffer.from(signed), key, Buffer.from(signature, "base64url"));
};

/** Kinds of wrong servers that are found with a signing key. */
export const wrongSigners: Readonly<Record<string, WrongKind>> = {
  "looks at the header of a JWS and never at its signature": {
    finds: ["401-bad-jws", "401-strange-jws", "401-unsigned-jws", "401-brought-jws", "401-confused-jws"],
    traits: () => ({ believes: () => true }),
  },
  "accepts a JWS with the algorithm none": {
    finds: ["401-unsigned-jws"],
    traits: () => ({
      believes: (jws) => readJws(jws).alg === "none" && readJws(jws).signature === "",
    }),
  },
  "accepts a JWS with no signature": {
    finds: ["401-unsigned-jws"],
    traits: () => ({ believes: (jws) => readJws(jws).alg === "EdDSA" && jws.endsWith("..") }),
  },
  "trusts the key in the header of a JWS": {
    finds: ["401-brought-jws"],
    traits: () => ({ believes: (jws) => isBrought(jws, () => false) }),
  },
  "trusts the key in the header of a JWS if it knows no key of that name": {
    finds: ["401-brought-jws"],
    traits: () => ({ believes: (jws) => isBrought(jws, (kid) => kid === "k") }),
  },
  "keys an HMAC with the public JWK": confusing((key) => JSON.stringify(key.export({ format: "jwk" }))),
  "keys an HMAC with the public JWK as it was registered": confusing((key) => {
    const { kty, crv, x } = key.export({ format: "jwk" });
    return JSON.stringify({ kty, crv, x, kid: "k", alg: "EdDSA" });
  }),
  "keys an HMAC with the public key's PEM": confusing((key) =>
    String(key.export({ type: "spki", format: "pem" })),
  ),
};
