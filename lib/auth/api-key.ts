import type { Clock } from "../clock.ts";
import type { HttpRequest } from "../http/request.ts";
import { type Authenticate, invalidCredentials } from "../principal.ts";
import { type Credential, isApiKey, isInForce, principalOf, rampKeyId } from "./credential.ts";

export interface ApiKeyParts {
  readonly credentials: { get(id: string): Promise<Credential | undefined> };
  readonly clock: Clock;
}

/** Proves a ramp partner by the key in `X-API-KEY` (contract: exchange and ramp, authentication B). */
export function apiKey({ credentials, clock }: ApiKeyParts): Authenticate<HttpRequest> {
  return async (request) => {
    const presented = request.headers["x-api-key"];
    if (presented === undefined) throw invalidCredentials("no API key");
    if (!isApiKey(presented)) throw invalidCredentials("malformed API key");
    const credential = await credentials.get(rampKeyId(presented));
    if (credential === undefined) throw invalidCredentials("unknown API key");
    if (!isInForce(credential, clock())) throw invalidCredentials("expired or revoked API key");
    return principalOf(credential);
  };
}
