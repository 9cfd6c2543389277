import { randomUUID } from "node:crypto";
import { FlattenedSign, flattenedVerify, importJWK, type JWK } from "jose";
import { misuseOf } from "../../lib/auth/verification-key.ts";
import type { Clock } from "../../lib/clock.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { algorithmOf, keyIdOf, parseJwk, refuseKey, requireStrong } from "../credentials/jwk-algorithm.ts";

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

/**
 * Reads a private JWK that requests are signed with. A missing `kid` or `alg` is filled in as it is when the public
 * half is registered.
 *
 * @throws {OperatorError} when the file does not hold such a key, or the key is damaged.
 */
export async function readSigningKey(file: string): Promise<JwsSigningKey> {
  const name = nameOfGiven(file);
  const jwk = parseJwk(await readGiven(file), name);
  if (typeof jwk.d !== "string") refuseKey(name, "does not hold a private key");
  // The operations of a private key are others than those of its public half.
  const misuse = misuseOf({ use: jwk.use });
  if (misuse !== undefined) refuseKey(name, misuse);
  const key = { ...membersOf(jwk), alg: algorithmOf(jwk, name), kid: await keyIdOf(jwk, name) };
  requireStrong(jwk, name);
  // The error itself says less than this message, and might quote the key.
  await tryOut(key).catch(() =>
    refuseKey(name, "is damaged: its public half does not verify what the key signs"),
  );
  return key;
}

/** The members of the key itself, without those that restrict its use, such as `key_ops`. */
const membersOf = ({ kty, crv, x, y, n, e, d, p, q, dp, dq, qi }: JWK): JWK =>
  JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, d, p, q, dp, dq, qi })) as JWK;

async function tryOut(key: JwsSigningKey): Promise<void> {
  const { kty, crv, x, y, n, e, alg } = key;
  const publicJwk = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as JWK;
  const privateKey = await importJWK(key, alg);
  const jws = await new FlattenedSign(new Uint8Array()).setProtectedHeader({ alg }).sign(privateKey);
  await flattenedVerify(jws, await importJWK(publicJwk, alg));
}
