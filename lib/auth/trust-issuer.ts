import type { Clock } from "../clock.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Authenticate } from "../principal.ts";
import { type AccessTokenParts, accessToken } from "./access-token.ts";
import { keySet } from "./key-set.ts";
import type { TokenEnv } from "./settings.ts";

/** How the issuer's keys are fetched; over the network by default. */
export interface IssuerTerms {
  readonly fetchText?: (url: URL) => Promise<string>;
}

/** Proves callers by the access tokens of the issuer that a function's environment names. */
export function trustIssuer(
  env: TokenEnv,
  credentials: AccessTokenParts["credentials"],
  clock: Clock,
  { fetchText }: IssuerTerms = {},
): Authenticate<HttpRequest> {
  return accessToken({
    issuer: env.TOKEN_ISSUER,
    audience: env.TOKEN_AUDIENCE,
    type: env.TOKEN_TYPE,
    lifetimeDaysMax: env.TOKEN_LIFETIME_DAYS_MAX,
    keys: keySet({ url: new URL(env.TOKEN_JWKS_URL), clock, ...(fetchText !== undefined && { fetchText }) }),
    credentials,
    clock,
  });
}
