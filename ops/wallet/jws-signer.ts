import { FlattenedSign, importJWK, type JWK } from "jose";
import type { Clock } from "../../lib/clock.ts";

/** A private JWK with `kid` and `alg`. */
export type SigningKey = JWK & { readonly kid: string; readonly alg: string };

/** Signs a GET of a path: a detached JWS over the empty body, whose header names the key, the instant and the request. */
export async function signDetached(key: SigningKey, path: string, clock: Clock): Promise<string> {
  const header = { alg: key.alg, kid: key.kid, iat: Math.floor(clock() / 1000), htm: "GET", htp: path };
  const jws = await new FlattenedSign(new Uint8Array())
    .setProtectedHeader(header)
    .sign(await importJWK(key, key.alg));
  return `${jws.protected}..${jws.signature}`;
}
