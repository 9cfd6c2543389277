import type * as z from "zod/mini";
import { anyOf } from "../auth/any-of.ts";
import { clientCertificate } from "../auth/client-certificate.ts";
import type { CredentialGroupStore } from "../auth/credential-group-store.ts";
import type { CredentialStore } from "../auth/credential-store.ts";
import { detachedJws } from "../auth/detached-jws.ts";
import type { IssuerKeys } from "../auth/key-set.ts";
import { trustIssuer } from "../auth/trust-issuer.ts";
import type { Clock } from "../clock.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Authenticate } from "../principal.ts";
import type { getPass } from "./contract.ts";

/** The settings of the pass callback's function. */
export type PassSettings = z.infer<(typeof getPass)["env"]>;

/** Looks up credentials: one by its id, and all registrations of a certificate. */
export interface WalletCredentials {
  readonly credentials: Pick<CredentialStore, "get">;
  readonly registrations: Pick<CredentialGroupStore, "getAll">;
}

/**
 * Proves the wallet service by a client certificate, a detached JWS, a token, or several of them together: the stage
 * says which sets suffice (`lib/auth/accepted-sets.ts`). A token that is bound to a certificate requires that
 * certificate. `keys` are those of the token issuer.
 */
export function authenticateWallet(
  settings: PassSettings,
  { credentials, registrations }: WalletCredentials,
  keys: IssuerKeys,
  clock: Clock,
): Authenticate<HttpRequest> {
  const signature = detachedJws({
    credentials,
    clock,
    basePath: settings.BASE_PATH,
    requiresBinding: settings.PASS_JWS_BINDING === "required",
  });
  const token = {
    kind: "token",
    // An `Authorization` header of another scheme counts as an invalid token.
    isPresented: ({ headers }: HttpRequest) => headers.authorization !== undefined,
    authenticate: trustIssuer(settings, keys, credentials, clock),
  } as const;
  return anyOf(
    [clientCertificate({ credentials: registrations, clock }), signature, token],
    settings.PASS_CREDENTIALS,
  );
}
