import type { Clock } from "../clock.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Authenticate } from "../principal.ts";
import { type AccessTokenParts, accessToken } from "./access-token.ts";
import type { IssuerKeys } from "./key-set.ts";
import type { TokenEnv } from "./settings.ts";

/** Proves callers by the access tokens of the issuer that a function's environment names, with that issuer's keys. */
export const trustIssuer = (
  env: TokenEnv,
  keys: IssuerKeys,
  credentials: AccessTokenParts["credentials"],
  clock: Clock,
): Authenticate<HttpRequest> =>
  accessToken({
    issuer: env.TOKEN_ISSUER,
    audience: env.TOKEN_AUDIENCE,
    type: env.TOKEN_TYPE,
    lifetimeDaysMax: env.TOKEN_LIFETIME_DAYS_MAX,
    keys,
    credentials,
    clock,
  });
