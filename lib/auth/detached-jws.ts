import { isUtf8 } from "node:buffer";
import { flattenedVerify, type JWK } from "jose";
import { readBase64url } from "../base64url.ts";
import type { Clock } from "../clock.ts";
import { LoggableError } from "../errors.ts";
import type { HttpRequest } from "../http/request.ts";
import { isExactNumber, parseExactJson } from "../json/exact-json.ts";
import { isMembers } from "../json-value.ts";
import { invalidCredentials } from "../principal.ts";
import { decodedPath } from "../signature/canonical-request.ts";
import type { Evidence } from "./any-of.ts";
import { type Credential, isInForce, jwsKeyId, principalOf } from "./credential.ts";
import { isSoundFor, verificationKeyOf } from "./verification-key.ts";

/** Header that carries the signature. */
const HEADER = "jws-signature";
const LENGTH_MAX = 4_096;
const KID = /^[\x21-\x7e]{1,128}$/;

/** Whether a value can name a key: 1 to 128 visible ASCII characters. */
export const isKeyId = (kid: unknown): kid is string => typeof kid === "string" && KID.test(kid);

const WINDOW_MS = 300_000;

/** Compact serialization with the payload left out (RFC 7515 appendix F). It has no place for an unprotected header. */
const DETACHED = /^([A-Za-z0-9_-]+)\.\.([A-Za-z0-9_-]+)$/;

export interface DetachedJwsParts {
  readonly credentials: { get(id: string): Promise<Credential | undefined> };
  readonly clock: Clock;
  /** The path that clients see before every route. */
  readonly basePath: string;
  /** Whether `htm` and `htp` are required; where present, they must be right either way. */
  readonly requiresBinding: boolean;
}

interface ParsedJws {
  readonly protectedPart: string;
  readonly signature: string;
  readonly header: Readonly<Record<string, unknown>>;
}

/**
 * Proves a caller by a detached JWS in `Jws-Signature` (RFC 7515 appendix F), over the request's body, which a GET does
 * not have. Only `kid` of the header selects the registered key, and the algorithm is that key's own. `iat`, `htm` and
 * `htp` bind the signature to an instant, a method and a path.
 */
export function detachedJws(parts: DetachedJwsParts): Evidence {
  return {
    kind: "jws",
    isPresented: ({ headers }) => headers[HEADER] !== undefined,
    authenticate: async (request) => {
      const jws = parse(request.headers[HEADER] ?? "");
      checkHeader(jws.header, request, parts);
      const credential = await parts.credentials.get(jwsKeyId(String(jws.header.kid)));
      if (credential === undefined) throw invalidCredentials("unknown JWS key");
      if (!isInForce(credential, parts.clock())) throw invalidCredentials("expired or revoked JWS key");
      await verify(jws, credential);
      return principalOf(credential);
    },
  };
}

function parse(presented: string): ParsedJws {
  const [, protectedPart, signature] = DETACHED.exec(presented.slice(0, LENGTH_MAX + 1)) ?? [];
  const isWhole = presented.length <= LENGTH_MAX && protectedPart !== undefined && signature !== undefined;
  const header = isWhole ? readBase64url(protectedPart) : undefined;
  if (!isWhole || header === undefined || readBase64url(signature) === undefined)
    throw invalidCredentials("malformed JWS");
  return { protectedPart, signature, header: parseHeader(header) };
}

/** Of two members with one name, readers differ in which they take, so both are refused (RFC 7515 section 4). */
function parseHeader(bytes: Buffer): ParsedJws["header"] {
  try {
    if (!isUtf8(bytes)) throw new TypeError("not UTF-8");
    const header = parseExactJson(bytes.toString("utf8"));
    if (!isMembers(header)) throw new TypeError("no object");
    return header;
  } catch {
    throw invalidCredentials("malformed JWS header");
  }
}

function checkHeader(header: ParsedJws["header"], request: HttpRequest, parts: DetachedJwsParts): void {
  // No extension is in use. jose would let a `b64` without `crit` pass (RFC 7797 section 6).
  if ("crit" in header || "b64" in header) throw invalidCredentials("an extension in the JWS header");
  if (!isKeyId(header.kid)) throw invalidCredentials("unusable kid");
  const signedAtMs = wholeSeconds(header.iat) * 1000;
  if (!(Math.abs(parts.clock() - signedAtMs) <= WINDOW_MS)) {
    throw invalidCredentials("iat is missing or too far from now");
  }
  checkBinding("htm", request.method, header.htm, parts);
  // The gateway hands over a decoded path, and clients differ in how much of it they encode.
  const signedPath = typeof header.htp === "string" ? decodedPath(header.htp) : header.htp;
  checkBinding("htp", `${parts.basePath}${request.path}`, signedPath, parts);
  if (request.hasBody) throw invalidCredentials("a body");
}

/** A number written as whole seconds; NaN, which is never within the window, for anything else. */
const wholeSeconds = (value: unknown): number =>
  isExactNumber(value) && /^\d{1,12}$/.test(value.rawJSON) ? Number(value.rawJSON) : Number.NaN;

function checkBinding(
  name: "htm" | "htp",
  value: string,
  signed: unknown,
  { requiresBinding }: DetachedJwsParts,
): void {
  if (signed === undefined && !requiresBinding) return;
  if (signed !== value) throw invalidCredentials(`${name} is missing or of another request`);
}

/** The algorithm is the registered key's, under any of its names. A header that names another algorithm is refused. */
async function verify({ protectedPart, signature }: ParsedJws, credential: Credential): Promise<void> {
  const jwk = JSON.parse(credential.publicKey ?? "{}") as JWK;
  if (jwk.alg === undefined) throw new LoggableError("A stored JWS key names no algorithm.");
  const key = verificationKeyOf(jwk);
  if (key === undefined || !isSoundFor(key, Buffer.from(signature, "base64url")))
    throw invalidCredentials("a weak JWS key, or a signature that no signer makes");
  const { algorithms } = key;
  try {
    await flattenedVerify({ protected: protectedPart, payload: "", signature }, key.jwk, {
      algorithms: [...algorithms],
    });
  } catch {
    throw invalidCredentials("a JWS signature that does not verify");
  }
}
