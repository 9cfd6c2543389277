import { generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import * as fc from "fast-check";
import { matchesIfNoneMatch } from "../../lib/passes/entity-tag.ts";
import { checkPass, passRules } from "../../ops/check-pass/check-pass.ts";
import type { Finding } from "../../ops/checks/rule.ts";
import { NOW } from "./chain.ts";
import { asctimeText, rfc850Text } from "./http-dates.ts";
import {
  compressed,
  type PassAnswer,
  type PassRequest,
  REFERENCES,
  type ServerState,
  STEPS,
  type Step,
  startPassServer,
  TOKENS,
  type Traits,
  walletFor,
} from "./pass-server.ts";

const dateForms = {
  imf: (instant: number): string => new Date(instant).toUTCString(),
  rfc850: rfc850Text,
  asctime: asctimeText,
};

/** How answers travel, which the contract does not regulate. */
export interface Transport {
  /** How far the server's clock is ahead of the wallet's; undefined for a server that sends no Date. */
  readonly clockAheadMs: number | undefined;
  readonly dates: keyof typeof dateForms;
  readonly http: "1.0" | "1.1";
  readonly keepsConnections: boolean;
  readonly spell: (name: string) => string;
  readonly early: string;
  /** The headers that a proxy in front adds to every answer. */
  readonly added: Readonly<Record<string, string>>;
  /** Whether the wallet signs its requests, and the server accepts each signature only once. */
  readonly isSigned: boolean;
}

/** The choices that the contract leaves open. */
interface Content {
  readonly order: readonly Step[];
  readonly tagOf: (version: number) => string;
  readonly passOf: (reference: string, version: number) => string;
  readonly type: string;
  readonly notModified: Readonly<Record<string, string>> | "length of the 200";
  readonly errorBody: string;
  readonly hasErrorTags: boolean;
  readonly gzip: "none" | "weakened" | "renamed" | "renamed, 304 with the other name";
  readonly limit: {
    readonly requests: number;
    readonly windowMs: number;
    readonly status: 429 | 503;
    readonly tells: "seconds" | "date";
  };
  /** The pass changes after so many requests; undefined for never. */
  readonly changesEvery: number | undefined;
  /** One in so many requests is answered 503, with or without a wait; undefined for none. */
  readonly troubleEvery: number | undefined;
  readonly trouble: Readonly<Record<string, string>>;
  /** For how long after the change every second answer is still the old one. */
  readonly lagMs: number;
  /** How long a 200 takes. */
  readonly slowMs: number;
}

export type Variation = Transport & Content;

const plainTransport: Transport = {
  clockAheadMs: 0,
  dates: "imf",
  http: "1.1",
  keepsConnections: false,
  spell: (name) => name,
  early: "",
  added: {},
  isSigned: false,
};

/** The plainest server that keeps the contract. */
export const plain: Variation = {
  ...plainTransport,
  order: STEPS,
  tagOf: (version) => `"tag-${version}"`,
  passOf: (reference, version) => JSON.stringify({ partner_reference: reference, version }),
  type: "application/json",
  notModified: {},
  errorBody: '{"code":"x"}',
  hasErrorTags: false,
  gzip: "none",
  limit: { requests: 60, windowMs: 1_000, status: 429, tells: "seconds" },
  changesEvery: undefined,
  troubleEvery: undefined,
  trouble: {},
  lagMs: 0,
  slowMs: 0,
};

/** Whether an order of steps is one of those that the contract and HTTP allow. */
export const isRightOrder = (order: readonly Step[]): boolean =>
  (
    [
      ["credential", "scope"],
      ["credential", "pass"],
      ["scope", "pass"],
      ["credential", "tag"],
      ["scope", "tag"],
      ["version", "tag"],
      ["pass", "tag"],
    ] as const
  ).every(([before, after]) => order.indexOf(before) < order.indexOf(after));

export const anyOrder = fc.shuffledSubarray([...STEPS], { minLength: STEPS.length });

export const anyTransport: fc.Arbitrary<Transport> = fc.record({
  clockAheadMs: fc.constantFrom(0, -5_000, 90_000, -86_400_000, undefined),
  dates: fc.constantFrom<Transport["dates"]>("imf", "rfc850", "asctime"),
  http: fc.constantFrom("1.0" as const, "1.1" as const),
  keepsConnections: fc.boolean(),
  spell: fc.constantFrom<Transport["spell"]>(
    (name) => name,
    (name) => name.toUpperCase(),
    (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ),
  early: fc.constantFrom("", "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n"),
  added: fc.constantFrom<Readonly<Record<string, string>>>(
    {},
    { age: "7", via: "1.1 cdn.example", vary: "Accept-Encoding, Authorization", "x-cache": "Miss" },
    { "set-cookie": "a=b; Path=/", "strict-transport-security": "max-age=1", server: "x/1 (y)" },
  ),
  isSigned: fc.boolean(),
});

const anyContent: fc.Arbitrary<Content> = fc.record({
  order: anyOrder.filter(isRightOrder),
  tagOf: fc.constantFrom<Content["tagOf"]>(
    (version) => `"tag-${version}"`,
    (version) => `W/"tag-${version}"`,
    (version) => `"caf\u00e9-\u00ff\u0080${version}"`,
    (version) => `"a,b; c=${version}"`.replaceAll(" ", ""),
    (version) => (version === 1 ? '""' : `"${version}"`),
    (version) => `"*%\\'${version}"`,
    (version) => `W/"W/${version}"`,
  ),
  passOf: fc.constantFrom<Content["passOf"]>(
    plain.passOf,
    (reference, version) => `${JSON.stringify({ version, partner_reference: reference }, null, 2)}\n`,
    (reference, version) =>
      JSON.stringify({ partner_reference: reference, semantics: { template_id: version } }),
  ),
  type: fc.constantFrom("application/json", "application/json; charset=utf-8", "application/vnd.x.pass+json"),
  notModified: fc.constantFrom<Content["notModified"]>(
    {},
    { "content-type": "application/json", "cache-control": "private, no-cache" },
    "length of the 200",
  ),
  errorBody: fc.constantFrom(
    "",
    '{"code":"x"}',
    '{"partner_reference":"ref-1"}',
    '{"version":1}',
    "<html>no</html>",
  ),
  hasErrorTags: fc.boolean(),
  gzip: fc.constantFrom<Content["gzip"]>("none", "weakened", "renamed", "renamed, 304 with the other name"),
  limit: fc.record({
    requests: fc.integer({ min: 20, max: 90 }),
    windowMs: fc.constantFrom(1_000, 2_700),
    status: fc.constantFrom(429 as const, 503 as const),
    tells: fc.constantFrom("seconds" as const, "date" as const),
  }),
  changesEvery: fc.option(fc.integer({ min: 9, max: 40 }), { nil: undefined }),
  troubleEvery: fc.option(fc.integer({ min: 7, max: 40 }), { nil: undefined }),
  trouble: fc.constantFrom<Readonly<Record<string, string>>>({}, { "retry-after": "2" }),
  lagMs: fc.constantFrom(0, 500),
  slowMs: fc.constantFrom(0, 0, 2_500),
});

/** Everything that the contract leaves open, combined freely. */
export const anyVariation: fc.Arbitrary<Variation> = fc
  .tuple(anyTransport, anyContent)
  .map(([transport, content]) => ({ ...transport, ...content }))
  .filter(isFair);

/**
 * A server that names dates has a clock, and then sends a Date (RFC 9110 6.6.1). Without a Date, the wallet counts from
 * its own clock, which moves on during a slow answer.
 */
function isFair({ clockAheadMs, limit, slowMs }: Variation): boolean {
  return limit.tells !== "date" || clockAheadMs !== undefined || slowMs === 0;
}

/** Accepts the signatures of one key, each of them once, and those that `believes` accepts. */
function signatures(publicKey: KeyObject, believes: Traits["believes"]): NonNullable<Traits["isSigned"]> {
  const used = new Set<string>();
  return (jws, path) => {
    if (believes?.(jws, publicKey) === true) return true;
    const [head = "", signature = ""] = jws.split("..");
    const { jti, htp } = JSON.parse(Buffer.from(head, "base64url").toString()) as Record<string, string>;
    const isGood = verify(null, Buffer.from(`${head}.`), publicKey, Buffer.from(signature, "base64url"));
    if (!isGood || htp !== path || jti === undefined || used.has(jti)) return false;
    used.add(jti);
    return true;
  };
}

/** The time of the server and the wallet. */
class World {
  now = NOW;
  windowEnd: number | undefined;
  changedAt: number | undefined;
}

function refusalOf({ limit, dates, clockAheadMs = 0 }: Variation, world: World): PassAnswer {
  world.windowEnd ??= world.now + limit.windowMs;
  const headers: Record<string, string> = {};
  if (limit.tells === "seconds")
    headers["retry-after"] = String(Math.ceil((world.windowEnd - world.now) / 1_000));
  if (limit.tells === "date") {
    const end = Math.ceil((world.windowEnd + clockAheadMs) / 1_000) * 1_000;
    headers["retry-after"] = dateForms[dates](end);
  }
  return { status: limit.status, headers, body: "" };
}

/** The proxy in front of the endpoint: it compresses, adds headers and sends the Date. */
function dressed(
  answer: PassAnswer,
  request: { accepts: string },
  variation: Variation,
  world: World,
): PassAnswer {
  const { clockAheadMs, dates, added, gzip, notModified, errorBody, hasErrorTags, type } = variation;
  const headers: Record<string, string> = { ...answer.headers, ...added };
  if (clockAheadMs !== undefined)
    headers.date = dateForms[dates](Math.floor((world.now + clockAheadMs) / 1_000) * 1_000);
  const { etag = "" } = headers;
  if (request.accepts === "gzip" && answer.status === 200) {
    if (gzip === "weakened") headers.etag = etag.startsWith("W/") ? etag : `W/${etag}`;
    if (gzip.startsWith("renamed")) headers.etag = etag.replace(/"$/, '-gzip"');
  }
  if (request.accepts === "gzip" && answer.status === 304 && gzip === "renamed")
    headers.etag = etag.replace(/"$/, '-gzip"');
  if (headers["content-type"] === plain.type) headers["content-type"] = type;
  if (answer.status === 304 && typeof notModified !== "string") Object.assign(headers, notModified);
  const isRefused = answer.status >= 400;
  if (isRefused && hasErrorTags) headers.etag = `"error-${answer.status}"`;
  if (request.accepts === "gzip" && answer.status === 200 && gzip !== "none")
    return compressed({ ...answer, headers }, "latin1");
  return { ...answer, headers, body: answer.body === plain.errorBody ? errorBody : answer.body };
}

/** The answer of a replica that the change has not reached yet, if this request meets one. */
function laggedOf(
  answer: PassAnswer,
  request: PassRequest,
  state: ServerState,
  { tagOf, passOf, lagMs }: Variation,
  world: World,
): PassAnswer {
  const isLagging = world.changedAt !== undefined && world.now < world.changedAt + lagMs;
  if (!isLagging || state.requests.length % 2 === 0 || ![200, 304].includes(answer.status)) return answer;
  const etag = tagOf(state.version - 1);
  const isNamed = matchesIfNoneMatch(unrenamed(request.headers["if-none-match"]), etag.replace(/^W\//, ""));
  const type: Record<string, string> = isNamed ? {} : { "content-type": plain.type };
  return {
    status: isNamed ? 304 : 200,
    headers: { "request-id": answer.headers["request-id"] ?? "", ...type, etag },
    body: isNamed ? "" : passOf(REFERENCES.current, state.version - 1),
  };
}

/** A tag as it was before compression renamed it. */
const unrenamed = (header: string | undefined): string | undefined => header?.replaceAll('-gzip"', '"');

function traitsOf(variation: Variation, world: World, flip: Traits): Traits {
  const { tagOf, passOf, gzip, changesEvery, troubleEvery, notModified, slowMs } = variation;
  const { http, keepsConnections, spell, early, order } = variation;
  return {
    order,
    keepsConnections,
    spell,
    early,
    ...(http === "1.0" && { http }),
    encoding: "latin1",
    passOf,
    tagOf: (_, version) => tagOf(version),
    isNamed: (header, tag) =>
      matchesIfNoneMatch(gzip.startsWith("renamed") ? unrenamed(header) : header, tag.replace(/^W\//, "")),
    refuse: () => refusalOf(variation, world),
    ...flip,
    change: (right, request, state) => {
      const asked = state.requests.length;
      if (changesEvery !== undefined && asked % changesEvery === 0) state.version += 1;
      if (right.status === 200) world.now += slowMs;
      const id = { "request-id": request.headers["request-id"] ?? "" };
      const answer =
        troubleEvery !== undefined && asked % troubleEvery === 0
          ? { status: 503, headers: { ...variation.trouble, ...id }, body: "" }
          : (flip.change?.(right, request, state) ?? laggedOf(right, request, state, variation, world));
      const length = String(Buffer.byteLength(passOf(request.reference, state.version), "latin1"));
      const isMeasured =
        answer.status === 304 && notModified === "length of the 200" && changesEvery === undefined;
      const headers = { ...answer.headers, ...(isMeasured && { "content-length": length }) };
      const accepts = request.headers["accept-encoding"] ?? "";
      return dressed({ ...answer, headers }, { accepts }, variation, world);
    },
  };
}

/** Checks a server of this variation, changed by `flip`, by every rule that a token and a key suffice for. */
export async function checkVariation(variation: Variation, flip: Traits = {}): Promise<Finding[]> {
  const world = new World();
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const traits = traitsOf(variation, world, flip);
  const isSigned = variation.isSigned && { isSigned: signatures(publicKey, flip.believes) };
  const { requests } = variation.limit;
  const server = await startPassServer({ ...traits, ...isSigned }, requests);
  const wallet = walletFor(server.url, {
    credentials: {
      token: TOKENS.good,
      ...(variation.isSigned && {
        signingKey: { ...privateKey.export({ format: "jwk" }), kid: "k", alg: "EdDSA" },
      }),
      tls: {},
    },
    clock: () => world.now,
    waitBudgetMs: 600_000,
    wait: async (ms) => {
      world.now += ms;
      if (world.windowEnd === undefined || world.now < world.windowEnd) return;
      world.windowEnd = undefined;
      server.state.allowance = requests;
    },
  });
  const plan = {
    reference: REFERENCES.current,
    goneReference: REFERENCES.gone,
    noScopeToken: TOKENS.noScope,
    isStrict: true,
    change: async (): Promise<void> => {
      server.state.version += 1;
      world.changedAt = world.now;
    },
    burst: requests + 40,
  };
  const findings = await checkPass(passRules, { wallet, plan });
  await server.close();
  return findings;
}
