import { createServer, type RequestListener } from "node:http";
import type { Clock } from "../../lib/clock.ts";
import { listenOn } from "../http/server.ts";
import { dataNames } from "../store/data-files.ts";
import { type PrivatePlace, privatePath } from "../store/private-file.ts";
import { localAudiences, localIssuer } from "./local-identity.ts";
import { signLocalToken, type TokenClaims, type TokenDeviation } from "./local-token.ts";
import { type KeptKey, keepPrivateJwk, type PrivateJwk } from "./private-jwk.ts";

const JWKS_PATH = "/.well-known/jwks.json";
/** The issuer's private key in a data directory. */
export const issuerKey: KeptKey = { name: dataNames.issuerKey, algorithm: "ES256" };

export interface Issuer {
  /** The `iss` of every token. */
  readonly issuer: string;
  /** The `aud` of the business interface. */
  readonly audience: string;
  /** URL of the public key while this process runs. The port changes with each start. */
  readonly jwksUrl: string;
  /** Signs an access token (RFC 9068), or one that differs from it as it is told. */
  mintToken(claims: TokenClaims & TokenDeviation): Promise<string>;
  /** Stops serving the key. Tokens stay valid, because the next start reads the same key. */
  close(): Promise<void>;
}

export interface IssuerOptions {
  readonly dataDir: PrivatePlace;
  readonly clock: Clock;
}

/** Path of the private key: one JWK with `kid` and `alg`, mode 600, with which a test may sign its own tokens. */
export const issuerKeyFile = (dataDir: PrivatePlace): string => privatePath(dataDir, issuerKey.name);

/**
 * Stands in for the operator's identity provider. It signs tokens with a key that is made once and kept in the data
 * directory, and serves the public half on a loopback port, where functions fetch it as from any provider. Throws a
 * `StartError` when the key file exists but does not hold a private key.
 */
export async function startIssuer({ dataDir, clock }: IssuerOptions): Promise<Issuer> {
  const jwk = await keepPrivateJwk(dataDir, issuerKey);
  const { port, close } = await listenOn(createServer(serveKeySet(publishedKeys(jwk))));
  return {
    issuer: localIssuer,
    audience: localAudiences.business,
    jwksUrl: `http://127.0.0.1:${port}${JWKS_PATH}`,
    mintToken: (claims) => signLocalToken(jwk, claims, clock),
    close,
  };
}

/** Lists the public members one by one, so that no private member can leak. */
const publicHalf = ({ kty, crv, x, y, kid, alg, use }: PrivateJwk) => ({ kty, crv, x, y, kid, alg, use });

/** The key set that the issuer publishes. */
export const publishedKeys = (jwk: PrivateJwk): string => JSON.stringify({ keys: [publicHalf(jwk)] });

function serveKeySet(body: string): RequestListener {
  return (request, response) => {
    const found = request.method === "GET" && request.url === JWKS_PATH;
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(found ? body : "{}");
  };
}
