import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { importJWK, SignJWT } from "jose";
import type { Clock } from "../../lib/clock.ts";
import { HANDED_OUT_MS } from "../lifetime.ts";
import { dataNames } from "../store/data-files.ts";
import { type PrivatePlace, privatePath } from "../store/private-file.ts";
import { localAudiences, localIssuer, localTokenType } from "./local-identity.ts";
import { keepPrivateJwk, type PrivateJwk } from "./private-jwk.ts";

const ALGORITHM = "ES256";
const LOOPBACK = "127.0.0.1";
const JWKS_PATH = "/.well-known/jwks.json";
const TOKEN_LIFE_S = HANDED_OUT_MS / 1_000;

/** The claims of a token to sign. */
interface TokenClaims {
  /** `sub`: the business, or the owner of the passes, that the token speaks for. */
  readonly subject: string;
  /** `scope`: words separated by one space; empty for a token that allows nothing. */
  readonly scope: string;
  /** `aud`; by default the business interface. */
  readonly audience?: string;
  /** `client_id`; by default a demo client. */
  readonly clientId?: string;
  /** Seconds from now to `exp`; by default 30 days. */
  readonly lifeS?: number;
}

export interface Issuer {
  /** The `iss` of every token. */
  readonly issuer: string;
  /** The `aud` of the business interface. */
  readonly audience: string;
  /** URL of the public key while this process runs. The port changes with each start. */
  readonly jwksUrl: string;
  /** Signs an access token (RFC 9068). */
  mintToken(claims: TokenClaims): Promise<string>;
  /** Stops serving the key. Tokens stay valid, because the next start reads the same key. */
  close(): Promise<void>;
}

export interface IssuerOptions {
  readonly dataDir: PrivatePlace;
  readonly clock: Clock;
}

/** Path of the private key: one JWK with `kid` and `alg`, mode 600, with which a test may sign its own tokens. */
export const issuerKeyFile = (dataDir: PrivatePlace): string => privatePath(dataDir, dataNames.issuerKey);

/**
 * Stands in for the operator's identity provider. It signs tokens with a key that is made once and kept in the data
 * directory, and serves the public half on a loopback port, where functions fetch it as from any provider. Throws a
 * `StartError` when the key file exists but does not hold a private key.
 */
export async function startIssuer({ dataDir, clock }: IssuerOptions): Promise<Issuer> {
  const jwk = await keepPrivateJwk(dataDir, { name: dataNames.issuerKey, algorithm: ALGORITHM });
  const server = await listenOnLoopback(serveKeySet(JSON.stringify({ keys: [publicHalf(jwk)] })));
  return {
    issuer: localIssuer,
    audience: localAudiences.business,
    jwksUrl: `http://${LOOPBACK}:${portOf(server)}${JWKS_PATH}`,
    mintToken: (claims) => signToken(jwk, claims, clock),
    close: () => stop(server),
  };
}

/** Lists the public members one by one, so that no private member can leak. */
const publicHalf = ({ kty, crv, x, y, kid, alg, use }: PrivateJwk) => ({ kty, crv, x, y, kid, alg, use });

async function signToken(jwk: PrivateJwk, claims: TokenClaims, clock: Clock): Promise<string> {
  const issuedAtS = Math.floor(clock() / 1000);
  return new SignJWT({ client_id: claims.clientId ?? "countinghouse-demo", scope: claims.scope })
    .setProtectedHeader({ typ: localTokenType, alg: ALGORITHM, kid: jwk.kid })
    .setIssuer(localIssuer)
    .setAudience(claims.audience ?? localAudiences.business)
    .setSubject(claims.subject)
    .setIssuedAt(issuedAtS)
    .setExpirationTime(issuedAtS + (claims.lifeS ?? TOKEN_LIFE_S))
    .setJti(randomUUID())
    .sign(await importJWK(jwk));
}

function serveKeySet(body: string): RequestListener {
  return (request, response) => {
    const found = request.method === "GET" && request.url === JWKS_PATH;
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(found ? body : "{}");
  };
}

async function listenOnLoopback(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The issuer listens on no port.");
  return address.port;
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
