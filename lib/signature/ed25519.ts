import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** Bytes of an encoded point, which is also a raw public key. */
export const POINT_BYTES = 32;
/** Bytes of a signature: the point R, then the scalar S. */
export const SIGNATURE_BYTES = 64;

/** The bytes before a raw key in its SPKI form (RFC 8410 section 4). */
export const SPKI_HEADER = Buffer.from("302a300506032b6570032100", "hex");

/** p = 2^255 - 19, the field's modulus. */
const FIELD_MODULUS = 2n ** 255n - 19n;
/** L, the order of the base point (RFC 8032 5.1). */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const SIGN_BIT = 1n << 255n;

/** y of the points of order 8, up to its sign. */
const ORDER_8_Y = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

/**
 * Every y under which one of the eight points of small order can be written: of order 4, 1, 8, 8 and 2, then of 4 and 1
 * again in a form that is not reduced. With either sign bit these are fourteen encodings.
 */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  ORDER_8_Y,
  FIELD_MODULUS - ORDER_8_Y,
  FIELD_MODULUS - 1n,
  FIELD_MODULUS,
  FIELD_MODULUS + 1n,
]);

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes.toReversed()).toString("hex")}`);
}

/**
 * Whether 32 bytes may encode a point: y is reduced (y < p), and the point is not of small order, because one signature
 * would fit many messages under such a point. Does not check that the point lies on the curve.
 */
export function isUsablePoint(bytes: Uint8Array): boolean {
  if (bytes.length !== POINT_BYTES) return false;
  const y = littleEndian(bytes) & (SIGN_BIT - 1n);
  return y < FIELD_MODULUS && !SMALL_ORDER_Y.has(y);
}

/**
 * A raw public key made ready for many verifications. Keep the result: reading costs more than half a verification.
 *
 * @returns undefined for bytes under which no signature is ever accepted.
 */
export function readPublicKey(raw: Uint8Array): KeyObject | undefined {
  if (!isUsablePoint(raw)) return undefined;
  try {
    return createPublicKey({ key: Buffer.concat([SPKI_HEADER, raw]), format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}

/**
 * Whether 64 bytes may be a signature: R is reduced and not of small order, and S < L, so that no signature has a
 * second form (RFC 8032 5.1.7). The checks of Node.js itself have changed between patch versions.
 */
export function isSoundSignature(signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  if (!isUsablePoint(signature.subarray(0, POINT_BYTES))) return false;
  return littleEndian(signature.subarray(POINT_BYTES)) < GROUP_ORDER;
}

/**
 * Whether a signature is valid for exactly this text (UTF-8) under a key of `readPublicKey` (RFC 8032 5.1.7, without
 * the cofactor). The bytes of the signature are checked first.
 */
export const isSignatureOf = (text: string, signature: Uint8Array, publicKey: KeyObject): boolean =>
  isSoundSignature(signature) && verify(null, Buffer.from(text, "utf8"), publicKey, signature);
