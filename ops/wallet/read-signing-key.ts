import { FlattenedSign, flattenedVerify, importJWK, type JWK } from "jose";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { algorithmOf, keyIdOf, parseJwk, refuseKey, requireStrong } from "../credentials/jwk-algorithm.ts";
import type { JwsSigningKey } from "./jws-signer.ts";

/**
 * Reads a private JWK that requests are signed with. What it lacks of `kid` and `alg` is what its public half is
 * registered with.
 *
 * @throws {OperatorError} when it is none, or damaged.
 */
export async function readSigningKey(file: string): Promise<JwsSigningKey> {
  const name = nameOfGiven(file);
  const jwk = parseJwk(await readGiven(file), name);
  if (typeof jwk.d !== "string") refuseKey(name, "holds no private key");
  const key = { ...membersOf(jwk), alg: algorithmOf(jwk, name), kid: await keyIdOf(jwk, name) };
  requireStrong(jwk, name);
  // The error would say less than this, and might quote the key.
  await tryOut(key).catch(() =>
    refuseKey(name, "is damaged: it does not sign what its public half verifies"),
  );
  return key;
}

/** Named one by one: what the key may be used for elsewhere has no say here. */
const membersOf = ({ kty, crv, x, y, n, e, d, p, q, dp, dq, qi }: JWK): JWK =>
  JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, d, p, q, dp, dq, qi })) as JWK;

async function tryOut(key: JwsSigningKey): Promise<void> {
  const { kty, crv, x, y, n, e, alg } = key;
  const publicJwk = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as JWK;
  const privateKey = await importJWK(key, alg);
  const jws = await new FlattenedSign(new Uint8Array()).setProtectedHeader({ alg }).sign(privateKey);
  await flattenedVerify(jws, await importJWK(publicJwk, alg));
}
