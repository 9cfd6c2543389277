import type { JWK } from "jose";
import { isSoundSignature, isUsablePoint } from "../signature/ed25519.ts";
import { hasRocaFingerprint } from "./roca.ts";

/**
 * Algorithms that verify, by type of key. All are asymmetric: a public key that served as a shared secret would be
 * known to everybody (RFC 8725 3.1).
 */
const ALGORITHMS_OF_TYPE: ReadonlyMap<string, readonly string[]> = new Map([
  ["RSA", ["RS256", "PS256"]],
  ["EC P-256", ["ES256"]],
  // Two names of one algorithm, where the curve is Ed25519 (RFC 9864 section 2.2).
  ["OKP Ed25519", ["EdDSA", "Ed25519"]],
]);

/** Every name that a header may have for its algorithm. */
export const signatureAlgorithms: readonly string[] = [...ALGORITHMS_OF_TYPE.values()].flat();

/**
 * The names of the algorithms that a key verifies, the usual one first. An empty list for a key of another type, or
 * whose `alg` does not belong to its type. An RSA key without `alg` verifies either of two.
 */
export function algorithmsOf({ kty, crv, alg }: JWK): readonly string[] {
  const ofType = ALGORITHMS_OF_TYPE.get(kty === "RSA" ? kty : `${kty} ${crv}`) ?? [];
  const names = ofType.filter((name) => alg === undefined || name === alg);
  return kty === "RSA" || names.length === 0 ? names : ofType;
}

const RSA_BITS_MIN = 2_048;
/** Twice what anybody uses. A signature of a larger key might not fit its header, and OpenSSL serves 16,384 at most. */
const RSA_BITS_MAX = 8_192;
/** With 1, anybody can sign; other small exponents have fooled some verifiers. Key generators use 65537. */
const RSA_EXPONENT_MIN = 65_537n;
/** OpenSSL verifies nothing under a larger exponent, from 3,072 bits of the modulus on. */
const RSA_EXPONENT_BITS_MAX = 64;

const bytesOf = (member: unknown): Buffer =>
  Buffer.from(typeof member === "string" ? member : "", "base64url");
/** The number itself is judged: zero bytes in front lengthen only its text. */
const numberOf = (member: unknown): bigint => BigInt(`0x0${bytesOf(member).toString("hex")}`);
const bitsOf = (value: bigint): number => value.toString(2).length;
const isOdd = (value: bigint): boolean => value % 2n === 1n;

/**
 * Why signatures under a key would prove nothing, or could never be verified, in words that follow the key's name;
 * undefined for a sound key.
 */
export function weaknessOf({ kty, x, n, e }: JWK): string | undefined {
  if (kty === "OKP")
    return isUsablePoint(bytesOf(x)) ? undefined : "must have a usable point of 32 bytes for x";
  if (kty !== "RSA") return undefined;
  return rsaWeaknessOf(numberOf(n), numberOf(e));
}

function rsaWeaknessOf(modulus: bigint, exponent: bigint): string | undefined {
  const bits = bitsOf(modulus);
  if (bits < RSA_BITS_MIN || bits > RSA_BITS_MAX || !isOdd(modulus))
    return `must have an odd modulus of ${RSA_BITS_MIN} bits or more, and of ${RSA_BITS_MAX} at most`;
  if (exponent < RSA_EXPONENT_MIN || bitsOf(exponent) > RSA_EXPONENT_BITS_MAX || !isOdd(exponent))
    return `must have an odd exponent of ${RSA_EXPONENT_MIN} or more, and of ${RSA_EXPONENT_BITS_MAX} bits at most`;
  return hasRocaFingerprint(modulus)
    ? "was made by a faulty generator (ROCA, CVE-2017-15361), so others can compute its private half. Make a new pair"
    : undefined;
}

/**
 * Why a key may not verify by what it says of itself (RFC 7517 4.2, 4.3), in words that follow the key's name; undefined
 * for one that may.
 */
export function misuseOf({
  use = "sig",
  key_ops: operations = ["verify"],
}: Partial<Record<"use" | "key_ops", unknown>>): string | undefined {
  if (use !== "sig") return "has a use other than sig";
  if (!Array.isArray(operations) || !operations.includes("verify"))
    return 'must have "verify" in the list of its key_ops, or no key_ops';
  return undefined;
}

/** A JWK without its members that are null, which say nothing. */
export const presentMembers = (jwk: JWK): JWK =>
  Object.fromEntries(Object.entries(jwk).filter(([, member]) => member !== null));

/** A public key, and the names of the algorithms that it verifies. */
export interface VerificationKey {
  readonly algorithms: readonly string[];
  /** The members that verify, and no others. */
  readonly jwk: JWK;
}

/** @returns undefined for a key that must not verify: weak, private, of another type or for another use. */
export function verificationKeyOf(given: JWK): VerificationKey | undefined {
  const jwk = presentMembers(given);
  const algorithms = algorithmsOf(jwk);
  const reason = misuseOf(jwk) ?? weaknessOf(jwk);
  // Signatures under a key whose private half is public prove nothing.
  if (algorithms.length === 0 || reason !== undefined || "d" in jwk) return undefined;
  const { kty, crv, x, y, n, e } = jwk;
  return { algorithms, jwk: JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as JWK };
}

/** Whether Node.js may judge a signature: its own checks of Ed25519 have changed between patch versions. */
export const isSoundFor = ({ jwk }: VerificationKey, signature: Uint8Array): boolean =>
  jwk.kty !== "OKP" || isSoundSignature(signature);
