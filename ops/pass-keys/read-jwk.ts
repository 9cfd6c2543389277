import { calculateJwkThumbprint, importJWK, type JWK } from "jose";
import { jwsAlgorithms } from "../../lib/auth/detached-jws.ts";
import { OperatorError } from "../operator-error.ts";
import { nameOfGiven, readGiven } from "../read-given.ts";

const KID = /^[\x21-\x7e]{1,128}$/;
const RSA_BITS_MIN = 2_048;

/** Members of a JWK that only its owner may have (RFC 7518 6.2.2, 6.3.2, 6.4.1). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** The algorithm of keys that fit one only. */
const ONLY_ALGORITHMS: Readonly<Record<string, string>> = { "EC P-256": "ES256", "OKP Ed25519": "EdDSA" };

/** A public key as it is registered: its `kid`, and the JWK that verifies, with its `alg`. */
export interface RegisteredKey {
  readonly kid: string;
  readonly publicKey: string;
}

/**
 * Reads a public JWK that detached signatures will be verified with. A key without `kid` is named by its thumbprint
 * (RFC 7638); one whose type leaves no choice needs no `alg`.
 *
 * @throws {OperatorError} for a private key too, which nobody but its owner should have.
 */
export async function readPublicJwk(file: string): Promise<RegisteredKey> {
  const name = nameOfGiven(file);
  const jwk = parse(await readGiven(file), name);
  if (PRIVATE_MEMBERS.some((member) => member in jwk)) {
    throw new OperatorError(`${name} holds a private or secret key. Give the public half of it only.`);
  }
  const alg = algorithmOf(jwk, name);
  const kid = jwk.kid ?? (await thumbprintOf(jwk, name));
  if (typeof kid !== "string" || !KID.test(kid)) {
    throw new OperatorError(`${name} has a kid that is not 1 to 128 visible ASCII characters.`);
  }
  const { kty, crv, x, y, n, e } = jwk;
  // Named one by one: whatever else the file says has no say in how a signature is verified.
  const publicJwk = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, alg })) as JWK;
  await importJWK(publicJwk, alg).catch(() => refuse(name, `is no public key for ${alg}`));
  return { kid, publicKey: JSON.stringify(publicJwk) };
}

function parse(text: string, name: string): JWK {
  try {
    const jwk: unknown = JSON.parse(text);
    if (typeof jwk === "object" && jwk !== null && "kty" in jwk) return jwk as JWK;
  } catch {
    // Said below; the parser's message would quote the file.
  }
  return refuse(name, "is no JWK: one JSON object with kty");
}

function algorithmOf({ kty, crv, alg, n }: JWK, name: string): string {
  const only = ONLY_ALGORITHMS[`${kty} ${crv}`];
  // RFC 9864 gave EdDSA with this curve a name of its own.
  const given = alg === "Ed25519" ? "EdDSA" : alg;
  const chosen = given ?? only;
  if (chosen === undefined) return refuse(name, `needs alg, one of ${jwsAlgorithms.join(", ")}`);
  const fits = only === undefined ? kty === "RSA" && /^[RP]S256$/.test(chosen) : chosen === only;
  if (!fits || !jwsAlgorithms.includes(chosen))
    return refuse(name, `does not fit ${jwsAlgorithms.join(", ")}`);
  const bits = Buffer.from(n ?? "", "base64url").length * 8;
  if (kty === "RSA" && bits < RSA_BITS_MIN) return refuse(name, `must have ${RSA_BITS_MIN} bits or more`);
  return chosen;
}

const thumbprintOf = (jwk: JWK, name: string): Promise<string> =>
  calculateJwkThumbprint(jwk).catch(() => refuse(name, "lacks members of its kind of key"));

function refuse(name: string, why: string): never {
  throw new OperatorError(`${name} ${why}.`);
}
