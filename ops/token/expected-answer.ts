import { accessToken } from "../../lib/auth/access-token.ts";
import { IssuerKeySet } from "../../lib/auth/key-set.ts";
import { LIFETIME_DAYS_MAX_DEFAULT } from "../../lib/auth/settings.ts";
import type { Clock } from "../../lib/clock.ts";
import { type ErrorCode, Failure } from "../../lib/errors.ts";
import { statusOf, statusOfSuccess } from "../../lib/http/error-response.ts";
import { requireScope } from "../../lib/principal.ts";
import { publishedKeys } from "../../local/identity/issuer.ts";
import { localIssuer, localTokenType } from "../../local/identity/local-identity.ts";
import { claimsOf, type TokenHolder } from "../../local/identity/local-token.ts";
import type { PrivateJwk } from "../../local/identity/private-jwk.ts";

/** How an interface answers a request whose only credential is a token. */
export interface ExpectedAnswer {
  readonly status: number;
  /** Absent where the token is accepted. */
  readonly code?: ErrorCode;
  /** Why the credentials are refused, in the words of the function's log, which callers do not see. */
  readonly reason?: string;
}

/**
 * How the interface of a holder answers a token now, by the check that its functions make. A blocked subject is not looked
 * up, and neither are limits and switches.
 */
export async function expectedAnswer(
  token: string,
  { holder, jwk, clock }: { readonly holder: TokenHolder; readonly jwk: PrivateJwk; readonly clock: Clock },
): Promise<ExpectedAnswer> {
  const { audience, scope } = claimsOf(holder);
  const authenticate = accessToken({
    issuer: localIssuer,
    audience,
    type: localTokenType,
    keys: new IssuerKeySet({
      url: new URL(localIssuer),
      clock,
      fetchText: () => Promise.resolve(publishedKeys(jwk)),
    }),
    credentials: { get: () => Promise.resolve(undefined) },
    clock,
    lifetimeDaysMax: LIFETIME_DAYS_MAX_DEFAULT,
  });
  try {
    requireScope(await authenticate(requestWith(token)), scope);
    return { status: statusOfSuccess.ok };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, cause } = error;
    return { status: statusOf[code], code, ...(typeof cause === "string" && { reason: cause }) };
  }
}

const requestWith = (token: string) => ({
  method: "GET",
  path: "",
  rawQuery: "",
  headers: { authorization: `Bearer ${token}` },
  pathParameters: {},
  hasBody: false,
  clientCertificate: undefined,
  gatewayRequestId: undefined,
});
