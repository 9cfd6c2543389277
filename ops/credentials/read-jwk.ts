import { importJWK, type JWK } from "jose";
import { misuseOf } from "../../lib/auth/verification-key.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { algorithmOf, keyIdOf, parseJwk, refuseKey, requireStrong } from "./jwk-algorithm.ts";

/** Members of a JWK that only its owner may have (RFC 7518 6.2.2, 6.3.2, 6.4.1). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** A public key as it is registered: its `kid`, and the text of the JWK that verifies, with its `alg`. */
export interface RegisteredKey {
  readonly kid: string;
  readonly publicKey: string;
}

/**
 * Reads a public JWK that detached signatures will be verified with. A key without `kid` is named by its thumbprint
 * (RFC 7638). A key needs an `alg` only if its type leaves a choice.
 *
 * @throws {OperatorError} for a key that cannot be registered. A private key is one: only its owner should have it.
 */
export async function readPublicJwk(file: string): Promise<RegisteredKey> {
  const name = nameOfGiven(file);
  const jwk = parseJwk(await readGiven(file), name);
  if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(jwk, member)))
    refuseKey(name, "holds a private or secret key. Give only its public half");
  const misuse = misuseOf(jwk);
  if (misuse !== undefined) refuseKey(name, misuse);
  const alg = algorithmOf(jwk, name);
  requireStrong(jwk, name);
  const kid = await keyIdOf(jwk, name);
  const { kty, crv, x, y, n, e } = jwk;
  // The members are named one by one, so that no other member affects how a signature is verified.
  const publicJwk = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, alg })) as JWK;
  await importJWK(publicJwk, alg).catch(() => refuseKey(name, `is not a public key for ${alg}`));
  return { kid, publicKey: JSON.stringify(publicJwk) };
}
