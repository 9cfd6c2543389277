import type * as z from "zod/mini";
import { type AccessTokenParts, accessToken } from "../auth/access-token.ts";
import { anyOf, type Evidence } from "../auth/any-of.ts";
import { clientCertificate, requireBoundCertificate } from "../auth/client-certificate.ts";
import type { CredentialStore } from "../auth/credential-store.ts";
import { detachedJws } from "../auth/detached-jws.ts";
import { keySet } from "../auth/key-set.ts";
import type { Authenticate } from "../auth/principal.ts";
import type { Clock } from "../clock.ts";
import type { HttpRequest } from "../http/request.ts";
import type { getPass } from "./contract.ts";

/** The settings of the pass callback's function. */
export type PassSettings = z.infer<(typeof getPass)["env"]>;

/** What of the store of credentials is needed here. */
export type CredentialLookup = Pick<CredentialStore, "find" | "findAll">;

/**
 * Proves the wallet service by a client certificate, a detached JWS or a token, as the stage combines them. `fetchText`
 * reads the token issuer's keys; over the network, unless it is given.
 */
export function authenticateWallet(
  settings: PassSettings,
  credentials: CredentialLookup,
  clock: Clock,
  fetchText?: (url: URL) => Promise<string>,
): Authenticate<HttpRequest> {
  const signature = detachedJws({
    credentials,
    clock,
    basePath: settings.BASE_PATH,
    requiresBinding: settings.PASS_JWS_BINDING === "required",
  });
  const keys = keySet({ url: new URL(settings.PASS_TOKEN_JWKS_URL), clock, ...(fetchText && { fetchText }) });
  const evidence = [
    clientCertificate({ credentials, clock }),
    signature,
    token(settings, keys, credentials, clock),
  ];
  return anyOf(evidence, settings.PASS_CREDENTIALS);
}

/** Any `Authorization` header offers a token: one of another scheme is then a bad one. */
function token(
  settings: PassSettings,
  keys: AccessTokenParts["keys"],
  credentials: CredentialLookup,
  clock: Clock,
): Evidence {
  return {
    kind: "token",
    isPresented: ({ headers }) => headers.authorization !== undefined,
    authenticate: accessToken({
      issuer: settings.PASS_TOKEN_ISSUER,
      audience: settings.PASS_TOKEN_AUDIENCE,
      type: settings.PASS_TOKEN_TYPE,
      keys,
      credentials,
      clock,
      requireBinding: requireBoundCertificate,
    }),
  };
}
