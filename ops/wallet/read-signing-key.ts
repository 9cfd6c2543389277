import { FlattenedSign, flattenedVerify, importJWK, type JWK } from "jose";
import { misuseOf } from "../../lib/auth/verification-key.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { algorithmOf, keyIdOf, parseJwk, refuseKey, requireStrong } from "../credentials/jwk-algorithm.ts";
import type { JwsSigningKey } from "./jws-signer.ts";

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
