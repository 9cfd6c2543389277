import { randomUUID } from "node:crypto";
import { FlattenedSign, importJWK, type JWK } from "jose";
import type { Clock } from "../../lib/clock.ts";

/** A private JWK with `kid` and `alg`. */
export type JwsSigningKey = JWK & { readonly kid: string; readonly alg: string };

/** The protected header of a JWS for a GET of a path: the key, the instant in seconds and the request. */
export const signedHeader = (
  { alg, kid }: Pick<JwsSigningKey, "alg" | "kid">,
  path: string,
  clock: Clock,
  jti: string = randomUUID(),
) => ({ alg, kid, iat: Math.floor(clock() / 1000), jti, htm: "GET", htp: path });

/**
 * Signs a GET of a path: a detached JWS over the empty body, whose header names the key, the instant and the request.
 * Each has another `jti`, so that two requests in the same second differ, and a server that accepts each signature only
 * once answers both.
 */
export async function signDetached(
  key: JwsSigningKey,
  path: string,
  clock: Clock,
  jti: string = randomUUID(),
): Promise<string> {
  const jws = await new FlattenedSign(new Uint8Array())
    .setProtectedHeader(signedHeader(key, path, clock, jti))
    .sign(await importJWK(key, key.alg));
  return `${jws.protected}..${jws.signature}`;
}
