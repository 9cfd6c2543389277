import { createHash, generateKeyPairSync } from "node:crypto";
import { smallOrderEncodings } from "./edwards.ts";

/** A public JWK for which anyone can make signatures, and how to make them. */
export interface ForgeableKey {
  readonly why: string;
  readonly jwk: { readonly alg: string } & Readonly<Record<string, unknown>>;
  readonly forge: (text: string) => Buffer;
}

/** DigestInfo of SHA-256 (RFC 8017 9.2). */
const SHA256_INFO = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** With 1 for an exponent, the padded digest is its own signature. */
function paddedDigest(text: string, bytes: number): Buffer {
  const digest = Buffer.concat([SHA256_INFO, createHash("sha256").update(text).digest()]);
  const padding = Buffer.alloc(bytes - digest.length - 3, 0xff);
  return Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), digest]);
}

/** A public RSA key of this size as JWK. */
export const rsaJwk = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync("rsa", { modulusLength, publicExponent }).publicKey.export({ format: "jwk" });

/** Zero bytes in front of a number, as a JWK spells it: they change its text and not its value. */
export const zerosBefore = (number: unknown, zeros: number): string =>
  Buffer.concat([Buffer.alloc(zeros), Buffer.from(String(number), "base64url")]).toString("base64url");

const isPrime = (number: bigint): boolean =>
  Array.from({ length: 30 }, (_, at) => BigInt(at + 2)).every(
    (other) => number <= other || number % other > 0n,
  );

/** An RSA modulus of 2,048 bits as the generator of CVE-2017-15361 makes them: a power of 65537 modulo the primes to 701. */
export function rocaModulus(): string {
  const primes = Array.from({ length: 700 }, (_, at) => BigInt(at + 2)).filter(isPrime);
  const primorial = primes.reduce((product, prime) => product * prime);
  const modulus = (2n ** 2047n / primorial + 1n) * primorial + (65_537n ** 1_234n % primorial);
  return Buffer.from(modulus.toString(16), "hex").toString("base64url");
}

/** Keys for which signatures are made without any private key, each in a spelling that was once registered. */
export function forgeableKeys(): readonly ForgeableKey[] {
  const rsa = rsaJwk(2_048);
  const withExponent = (e: string): ForgeableKey => ({
    why: `RSA with the exponent ${e}`,
    jwk: { ...rsa, e, alg: "RS256" },
    forge: (text) => paddedDigest(text, 256),
  });
  // R is neutral and S is zero: one text in eight fits a point of small order, and every text fits the neutral point.
  const ofPoint = (point: Uint8Array): ForgeableKey => ({
    why: `Ed25519 with the point ${Buffer.from(point).toString("hex")}`,
    jwk: { kty: "OKP", crv: "Ed25519", x: Buffer.from(point).toString("base64url"), alg: "EdDSA" },
    forge: () => Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]),
  });
  return [withExponent("AQ"), withExponent("AAAB"), ...smallOrderEncodings().map(ofPoint)];
}
