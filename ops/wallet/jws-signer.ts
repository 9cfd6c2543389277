import { randomUUID } from "node:crypto";
import { FlattenedSign, importJWK, type JWK } from "jose";
import type { Clock } from "../../lib/clock.ts";

/** A private JWK with `kid` and `alg`. */
export type JwsSigningKey = JWK & { readonly kid: string; readonly alg: string };

/**
 * Signs a GET of a path: a detached JWS over the empty body, whose header names the key, the instant and the request.
 * `jti` is another in each, so that two requests of one second differ, and a server that takes each signature once
 * answers both.
 */
export async function signDetached(
  key: JwsSigningKey,
  path: string,
  clock: Clock,
  jti: string = randomUUID(),
): Promise<string> {
  const { alg, kid } = key;
  const header = { alg, kid, iat: Math.floor(clock() / 1000), jti, htm: "GET", htp: path };
  const jws = await new FlattenedSign(new Uint8Array())
    .setProtectedHeader(header)
    .sign(await importJWK(key, alg));
  return `${jws.protected}..${jws.signature}`;
}
