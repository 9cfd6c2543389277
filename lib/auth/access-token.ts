import { decodeProtectedHeader, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { HttpRequest } from "../http/request.ts";
import { requireBoundCertificate } from "./client-certificate.ts";
import { type Credential, isInForce, subjectId } from "./credential.ts";
import { type Authenticate, invalidCredentials, type Principal } from "./principal.ts";

/** Asymmetric algorithms only: with a secret one, a public key would be the secret (RFC 8725 3.1). */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
const TOLERANCE_S = 30;
const SUBJECT_LENGTH_MAX = 256;

/** RFC 6750 2.1: the scheme in any case, spaces, and one token. A comma means two headers were joined. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

export interface AccessTokenParts {
  readonly issuer: string;
  readonly audience: string;
  /** The `typ` that a token must bear: `at+jwt` for access tokens of RFC 9068. */
  readonly type: string;
  readonly keys: JWTVerifyGetKey;
  readonly credentials: { find(id: string): Promise<Credential | undefined> };
  readonly clock: Clock;
  readonly toleranceS?: number;
}

/**
 * Proves a caller by an OAuth 2.0 bearer token in the form of RFC 9068. `sub` is the owner, the words of `scope` are
 * the scopes. A token needs no row in the store; a row for its subject exists to revoke it.
 */
export function accessToken(parts: AccessTokenParts): Authenticate<HttpRequest> {
  return async (request) => {
    const token = BEARER.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined) throw invalidCredentials("no bearer token");
    const claims = await verify(token, parts);
    requireBoundCertificate(claims.cnf, request);
    const principal = principalOf(claims);
    const row = await parts.credentials.find(subjectId(parts.issuer, principal.owner));
    if (row !== undefined && !isInForce(row, parts.clock())) throw invalidCredentials("revoked subject");
    return principal;
  };
}

async function verify(token: string, parts: AccessTokenParts): Promise<JWTPayload> {
  try {
    refuseExtensions(token);
    const tolerance = parts.toleranceS ?? TOLERANCE_S;
    const { payload } = await jwtVerify(token, parts.keys, {
      issuer: parts.issuer,
      audience: parts.audience,
      typ: parts.type,
      algorithms: ALGORITHMS,
      clockTolerance: tolerance,
      currentDate: new Date(parts.clock()),
      requiredClaims: ["exp", "sub"],
    });
    if (payload.iat !== undefined && payload.iat > parts.clock() / 1000 + tolerance)
      throw new Error("iat lies ahead");
    return payload;
  } catch (error) {
    if (error instanceof Failure) throw error;
    // jose's codes name the check that failed and quote nothing of the token.
    const code = (error as { code?: unknown }).code;
    throw invalidCredentials(typeof code === "string" ? code : "token refused");
  }
}

/** No extension is in use, so a header that asks for one (RFC 7515 4.1.11, RFC 7797) asks for what we cannot do. */
function refuseExtensions(token: string): void {
  if (!token.split(".").every(isCanonical)) throw new Error("a part in another spelling of its bytes");
  const header = decodeProtectedHeader(token);
  if ("crit" in header || "b64" in header) throw new Error("an extension in the header");
}

/** Base64url whose unused bits are zero: each token has one spelling (RFC 4648 3.5). */
const isCanonical = (part: string): boolean => Buffer.from(part, "base64url").toString("base64url") === part;

function principalOf({ sub, scope }: JWTPayload): Principal {
  if (typeof sub !== "string" || sub === "" || sub.length > SUBJECT_LENGTH_MAX)
    throw invalidCredentials("unusable sub");
  return {
    owner: sub,
    scopes: typeof scope === "string" ? scope.split(" ").filter((word) => word !== "") : [],
  };
}
