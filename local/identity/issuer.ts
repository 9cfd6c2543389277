import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { importJWK, SignJWT } from "jose";
import type { Clock } from "../../lib/clock.ts";
import { HANDED_OUT_MS } from "../lifetime.ts";
import { dataNames } from "../store/data-files.ts";
import { localAudiences, localIssuer, localTokenType } from "./local-identity.ts";
import { keepPrivateJwk, type PrivateJwk } from "./private-jwk.ts";

const ALGORITHM = "ES256";
const LOOPBACK = "127.0.0.1";
const JWKS_PATH = "/.well-known/jwks.json";
const TOKEN_LIFE_S = HANDED_OUT_MS / 1_000;

/** What a token says. Times are seconds since the epoch, as in the token itself. */
export interface TokenClaims {
  /** `sub`: the business, or the owner of the passes, that the token speaks for. */
  readonly subject: string;
  /** `scope`: words separated by one space; an empty text for a token that may nothing. */
  readonly scope: string;
  /** `aud`; the business interface unless said. */
  readonly audience?: string;
  /** `client_id`; a demo client unless said. */
  readonly clientId?: string;
  /** Seconds from now to `exp`; 30 days unless said. */
  readonly lifeS?: number;
}

export interface Issuer {
  /** The `iss` of every token. */
  readonly issuer: string;
  /** The `aud` of the business interface. */
  readonly audience: string;
  /** Where the public key stands while this process runs. The port is another one at each start. */
  readonly jwksUrl: string;
  /** Signs an access token (RFC 9068). */
  mintToken(claims: TokenClaims): Promise<string>;
  /** Stops serving the key. Tokens stay as good as the key, which the next start reads again. */
  close(): Promise<void>;
}

export interface IssuerOptions {
  readonly dataDir: string;
  readonly clock: Clock;
}

/** Where the private key lies: one JWK with `kid` and `alg`, mode 600, so that a test may sign tokens of its own. */
export const issuerKeyFile = (dataDir: string): string => join(dataDir, dataNames.issuerKey);

/**
 * Stands in for the operator's identity provider: signs tokens with a key that is made once and kept in the data
 * directory, and serves its public half on a loopback port, where the functions fetch it as they would anywhere.
 * Throws a `StartError` when the key file is there and is no private key.
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

/** Named one by one: a member that is not on this list cannot slip out. */
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
