import { decodeProtectedHeader, type JWTHeaderParameters, type JWTPayload, jwtVerify } from "jose";
import { readBase64url } from "../base64url.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { HttpRequest } from "../http/request.ts";
import { isSubject } from "../id.ts";
import { type Authenticate, invalidCredentials, type Principal } from "../principal.ts";
import { requireBoundCertificate } from "./client-certificate.ts";
import { type Credential, isInForce, subjectId } from "./credential.ts";
import type { IssuerKeys } from "./key-set.ts";
import { isSoundFor, signatureAlgorithms, type VerificationKey } from "./verification-key.ts";

const TOLERANCE_S = 30;
const DAY_S = 86_400;

/** RFC 6750 2.1: the scheme in any case, spaces, and one token. A comma means that two headers were joined. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

export interface AccessTokenParts {
  readonly issuer: string;
  readonly audience: string;
  /** The `typ` that a token must have: `at+jwt` for access tokens of RFC 9068. */
  readonly type: string;
  readonly keys: IssuerKeys;
  readonly credentials: { get(id: string): Promise<Credential | undefined> };
  readonly clock: Clock;
  /** How far `exp` may lie ahead. An `exp` further off is a mistake, and its token would hardly ever end. */
  readonly lifetimeDaysMax: number;
  readonly toleranceS?: number;
}

/**
 * Proves a caller by an OAuth 2.0 bearer token in the form of RFC 9068. `sub` is the owner, the words of `scope` are
 * the scopes. A token needs no row in the store; the row of a subject exists to revoke it.
 */
export function accessToken(parts: AccessTokenParts): Authenticate<HttpRequest> {
  return async (request) => {
    const token = BEARER.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined) throw invalidCredentials("no bearer token");
    const claims = await verify(token, parts);
    requireBoundCertificate(claims.cnf, request);
    const principal = principalOf(claims);
    const row = await parts.credentials.get(subjectId(parts.issuer, principal.owner));
    if (row !== undefined && !isInForce(row, parts.clock())) throw invalidCredentials("revoked subject");
    return principal;
  };
}

async function verify(token: string, parts: AccessTokenParts): Promise<JWTPayload> {
  try {
    const header = readHeader(token);
    for await (const key of parts.keys.fitting(header)) {
      const payload = await verifyWith(key, token, header, parts);
      if (payload !== undefined) return requireInTime(payload, parts);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw invalidCredentials(codeOf(error) ?? "token refused");
  }
  throw invalidCredentials("no key of the issuer verifies the token");
}

/** The codes of jose's errors name the check that failed and quote nothing from the token. */
function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** @returns undefined when this key does not verify the signature. The claims are judged only under a key that does. */
async function verifyWith(
  key: VerificationKey,
  token: string,
  { alg }: JWTHeaderParameters,
  { issuer, audience, type, clock, toleranceS = TOLERANCE_S }: AccessTokenParts,
): Promise<JWTPayload | undefined> {
  if (!isSoundFor(key, Buffer.from(token.split(".")[2] ?? "", "base64url"))) return undefined;
  try {
    const { payload } = await jwtVerify(token, key.jwk, {
      issuer,
      audience,
      typ: type,
      algorithms: [alg],
      clockTolerance: toleranceS,
      currentDate: new Date(clock()),
      requiredClaims: ["exp", "sub"],
    });
    return payload;
  } catch (error) {
    if (codeOf(error)?.startsWith("ERR_JWT_") === true) throw error;
    return undefined;
  }
}

function requireInTime(payload: JWTPayload, parts: AccessTokenParts): JWTPayload {
  const latestS = parts.clock() / 1000 + (parts.toleranceS ?? TOLERANCE_S);
  const { iat = 0, exp = 0 } = payload;
  if (iat > latestS) throw invalidCredentials("iat lies ahead");
  if (exp > latestS + parts.lifetimeDaysMax * DAY_S) throw invalidCredentials("exp lies too far ahead");
  return payload;
}

/** No extension is in use, so a header that requires one (RFC 7515 4.1.11, RFC 7797) is refused. */
function readHeader(token: string): JWTHeaderParameters {
  if (token.split(".").some((part) => readBase64url(part) === undefined))
    throw invalidCredentials("a part that is not canonical base64url");
  const { alg = "", ...header } = decodeProtectedHeader(token);
  if ("crit" in header || "b64" in header) throw invalidCredentials("an extension in the header");
  if (!signatureAlgorithms.includes(alg)) throw invalidCredentials("an algorithm that is not accepted");
  return { alg, ...header };
}

function principalOf({ sub, scope }: JWTPayload): Principal {
  // Halves of a surrogate pair would all be stored as one character, so that two subjects share a limit and a block.
  if (typeof sub !== "string" || !isSubject(sub)) throw invalidCredentials("unusable sub");
  return {
    owner: sub,
    scopes: typeof scope === "string" ? scope.split(" ").filter((word) => word !== "") : [],
  };
}
