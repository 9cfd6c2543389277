import { calculateJwkThumbprint, type JWK } from "jose";
import { isKeyId, jwsAlgorithms } from "../../lib/auth/detached-jws.ts";
import { OperatorError } from "../operator-error.ts";

const RSA_BITS_MIN = 2_048;

/** The algorithm of keys that fit one only. */
const ONLY_ALGORITHMS = new Map([
  ["EC P-256", "ES256"],
  ["OKP Ed25519", "EdDSA"],
]);

/** Reads one JWK. `name` stands for the file in messages, which never quote it. @throws {OperatorError} */
export function parseJwk(text: string, name: string): JWK {
  try {
    const jwk: unknown = JSON.parse(text);
    if (typeof jwk === "object" && jwk !== null && "kty" in jwk) return jwk as JWK;
  } catch {
    // Said below; the parser's message would quote the file.
  }
  return refuseKey(name, "is no JWK: one JSON object with kty");
}

/**
 * The algorithm that a key signs with, by the name that the endpoint takes. A key whose type leaves no choice needs no
 * `alg`; RFC 9864's name for EdDSA with Ed25519 is understood.
 *
 * @throws {OperatorError} when the endpoint takes none of its kind, or it is meant for something else than signing.
 */
export function algorithmOf({ kty, crv, alg, n, use }: JWK, name: string): string {
  if (use !== undefined && use !== "sig") return refuseKey(name, "has a use other than sig");
  const only = ONLY_ALGORITHMS.get(`${kty} ${crv}`);
  if (only === undefined && kty !== "RSA")
    return refuseKey(name, "must be an RSA key, or one of the curve P-256 or Ed25519");
  const chosen = (alg === "Ed25519" ? "EdDSA" : alg) ?? only;
  if (chosen === undefined) return refuseKey(name, "needs alg, RS256 or PS256");
  const fits = only === undefined ? /^[RP]S256$/.test(chosen) : chosen === only;
  if (!fits || !jwsAlgorithms.includes(chosen))
    return refuseKey(name, `has an alg that does not fit: it must be ${only ?? "RS256 or PS256"}`);
  const bits = Buffer.from(n ?? "", "base64url").length * 8;
  if (kty === "RSA" && bits < RSA_BITS_MIN) return refuseKey(name, `must have ${RSA_BITS_MIN} bits or more`);
  return chosen;
}

/** The name of a key: its `kid`, or its thumbprint when it has none (RFC 7638). @throws {OperatorError} */
export async function keyIdOf(jwk: JWK, name: string): Promise<string> {
  const lacks = (): never => refuseKey(name, "lacks members of its kind of key");
  const kid: unknown = jwk.kid ?? (await calculateJwkThumbprint(jwk).catch(lacks));
  if (isKeyId(kid)) return kid;
  return refuseKey(name, "has a kid that is not 1 to 128 visible ASCII characters");
}

/** @throws {OperatorError} that says of the file why its key is not taken. */
export function refuseKey(name: string, why: string): never {
  throw new OperatorError(`${name} ${why}.`);
}
