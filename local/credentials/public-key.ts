import { createPrivateKey, createPublicKey } from "node:crypto";
import { Point } from "@noble/ed25519";
import { POINT_BYTES } from "../../lib/signature/ed25519.ts";
import { FORMS, KEEP_PRIVATE, PRIVATE_KEY, PublicKeyError } from "./public-key-error.ts";
import { rawKeysOf } from "./public-key-forms.ts";

/** Begins the message for 32 bytes that no key generator produces as a public key. 15 in 16 seeds are such bytes. */
const SEED = `These 32 bytes are most likely the seed of a private key. ${KEEP_PRIVATE} If they are not,`;
/** The bytes before a seed in PKCS #8 (RFC 8410 section 7). */
const PKCS8_HEADER = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Reads a public key to register, and checks it as {@link requireRegistrablePoint} does.
 *
 * @param given content of a file, or a text: SPKI (PEM or DER), or the raw key in hex, Base64 or base64url. The key may stand
 * there more than once, but no other key beside it: which of the two is meant cannot be known.
 * @returns the raw key as 64 lower-case hex digits.
 * @throws {PublicKeyError} for everything else, private keys above all. The message never repeats the input.
 */
export function readRegistrableKey(given: Uint8Array | string): string {
  const raw = onlyKeyOf(rawKeysOf(Buffer.from(given)));
  requireRegistrablePoint(raw);
  return raw.toString("hex");
}

function onlyKeyOf(raws: readonly Buffer[]): Buffer {
  const keys = new Map(raws.map((raw) => [raw.toString("hex"), raw]));
  const [only, other] = keys.values();
  if (only === undefined) throw new PublicKeyError(`This holds no key. ${FORMS}`);
  if (other === undefined) return only;
  // Some tools write the seed of a private key and its public half one after the other.
  if (raws.some((raw) => keys.has(publicHexOfSeed(raw)))) throw new PublicKeyError(PRIVATE_KEY);
  throw new PublicKeyError(`This holds ${keys.size} keys. Give the one to register, and no other.`);
}

function publicHexOfSeed(seed: Buffer): string {
  const key = Buffer.concat([PKCS8_HEADER, seed]);
  const pair = createPrivateKey({ key, format: "der", type: "pkcs8" });
  return createPublicKey(pair)
    .export({ format: "der", type: "spki" })
    .toString("hex")
    .slice(-2 * POINT_BYTES);
}

/**
 * Makes sure that 32 bytes are a key: a reduced encoding of a point on the curve that generates the whole prime-order
 * group. Under any other point a signature proves nothing. The arithmetic is too slow and too large for a request;
 * `ed25519.ts` verifies requests.
 *
 * @throws {PublicKeyError} that names the likeliest cause first.
 */
export function requireRegistrablePoint(raw: Uint8Array): void {
  const point = pointOf(raw);
  if (point.isSmallOrder())
    throw new PublicKeyError(
      "This key is a point of small order, such as an unset key of zeros: anybody could sign for it.",
    );
  if (!point.isTorsionFree())
    throw new PublicKeyError(
      `${SEED} this key has a component of small order, which no key generator produces: make a new key pair.`,
    );
}

function pointOf(raw: Uint8Array): Point {
  try {
    return Point.fromBytes(raw, false);
  } catch (cause) {
    throw new PublicKeyError(`${SEED} they are not an Ed25519 public key. ${FORMS}`, { cause });
  }
}
