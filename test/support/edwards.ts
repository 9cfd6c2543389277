import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";

/** L, the order of the base point. */
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;
export const BASE = Point.BASE;

/** n·Q for any n from 0, also of points outside the prime-order group, by doubling and adding. */
export function times(n: bigint, point: Point): Point {
  let sum = Point.ZERO;
  let power = point;
  for (let rest = n; rest > 0n; rest >>= 1n, power = power.double()) if (rest & 1n) sum = sum.add(power);
  return sum;
}

/** A point of order 8, found by multiplying points of the whole curve by L. */
function findTorsion(): Point {
  for (let y = 2; ; y += 1) {
    const bytes = new Uint8Array(32);
    bytes[0] = y;
    try {
      const torsion = times(L, Point.fromBytes(bytes));
      if (!times(4n, torsion).is0()) return torsion;
    } catch {
      // No point has this y.
    }
  }
}

const TORSION = findTorsion();

/** The eight points of small order: multiples of one of order 8. */
export const torsionPoints: readonly Point[] = Array.from({ length: 8 }, (_, n) => times(BigInt(n), TORSION));

export function bytesOfNumber(value: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(64, "0"), "hex")).toReversed();
}

const numberOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes.toReversed()).toString("hex")}`);

/** Every encoding that a lenient reader accepts for a point of small order: canonical or not, with either sign bit. */
export function smallOrderEncodings(): Uint8Array[] {
  const ys = new Set(torsionPoints.map((point) => numberOf(point.toBytes()) & (2n ** 255n - 1n)));
  for (const y of ys) if (y + P < 2n ** 255n) ys.add(y + P);
  return [...ys].flatMap((y) => [bytesOfNumber(y), bytesOfNumber(y + 2n ** 255n)]);
}

/** h of the verification equation: SHA-512 over R, A and the text, modulo L. */
function challengeOf(r: Uint8Array, a: Uint8Array, text: string): bigint {
  return numberOf(createHash("sha512").update(r).update(a).update(text).digest()) % L;
}

export interface EdgeCase {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
  readonly text: string;
}

/** The parts of a case, which is complete once the challenge of its text is known. */
export interface Recipe {
  readonly a: Uint8Array;
  /** The bytes of R, which the challenge is made over. */
  readonly r: Uint8Array;
  /** Other bytes that the challenge is made over, where a verifier might reduce them first. */
  readonly hashedR?: Uint8Array;
  readonly hashedA?: Uint8Array;
  readonly s: (challenge: bigint) => bigint;
  readonly fits: (challenge: bigint) => boolean;
}

/** Tries texts until the challenge fits the recipe; one in eight does, or more. */
export function brew({ a, r, hashedR, hashedA, s, fits }: Recipe): EdgeCase {
  for (let at = 0; ; at += 1) {
    const text = `1795554000000GET/1.0/trades/all/BTC-USDlimit=${at}`;
    const challenge = challengeOf(hashedR ?? r, hashedA ?? a, text);
    if (!fits(challenge)) continue;
    return { publicKey: a, signature: Buffer.concat([r, bytesOfNumber(s(challenge))]), text };
  }
}

/** Whether S·B = R + h·A, read as leniently as possible; with the cofactor, both sides are multiplied by eight. */
export function equationHolds(
  { publicKey, signature, text }: EdgeCase,
  cofactor: 1n | 8n,
  hashed: { readonly r?: Uint8Array; readonly a?: Uint8Array } = {},
): boolean {
  const r = signature.subarray(0, 32);
  const challenge = challengeOf(hashed.r ?? r, hashed.a ?? publicKey, text);
  const left = times(numberOf(signature.subarray(32)), BASE);
  const right = Point.fromBytes(r, true).add(times(challenge, Point.fromBytes(publicKey, true)));
  return times(cofactor, left).equals(times(cofactor, right));
}
