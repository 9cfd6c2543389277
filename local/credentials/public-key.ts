import { isUtf8 } from "node:buffer";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { Point } from "@noble/ed25519";
import { POINT_BYTES, SPKI_HEADER } from "../../lib/signature/ed25519.ts";

/** A text or file that is not a public key to register. The message tells its owner what to hand in instead. */
export class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

/** What to do about a private key that was given. */
const KEEP_PRIVATE =
  "It must not leave the machine that signs with it: register its public half. If it was sent to anyone, " +
  "make a new pair. `openssl pkey -in private.pem -pubout` prints the public half.";
/** The message for a private key. */
const PRIVATE_KEY = `This is a private key. ${KEEP_PRIVATE}`;
/** Ends the message for anything else. */
const FORMS =
  "Give an Ed25519 public key: PEM (-----BEGIN PUBLIC KEY-----), or its 32 bytes in hex, Base64 or base64url.";

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

/** The bytes before the seed of a private key in its two PKCS #8 forms (RFC 8410 section 7, RFC 5958). */
const PKCS8_HEADERS = ["302e020100300506032b657004220420", "3051020101300506032b657004220420"];
/** Begins every key in DER. */
const SEQUENCE = 0x30;
const SPKI_BYTES = SPKI_HEADER.length + POINT_BYTES;

/** A raw key is not text: among 32 such bytes there are always some that no text has. */
const isText = (file: Buffer): boolean => isUtf8(file) && !/(?!\s)\p{Cc}/u.test(file.toString("utf8"));

/**
 * The raw keys that a file holds, in its order: SPKI (PEM or DER), or 32 bytes each, as they are or in hex, Base64 or
 * base64url.
 *
 * @throws {PublicKeyError} for a file that holds something else too.
 */
function rawKeysOf(file: Buffer): readonly Buffer[] {
  const text = file
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  refusePrivateText(text);
  if (!isText(file)) return keysOfBytes(file);
  if (text.includes("-----BEGIN")) return keysOfPem(text);
  refuseOtherText(text);
  const words = text.split(/\s+/).map(bytesOfText);
  if (words.some((word) => word !== undefined && isPrivate(word))) throw new PublicKeyError(PRIVATE_KEY);
  if (words.every(isWholeKey)) return words.flatMap(keysOfBytes);
  const bytes = bytesOfText(text);
  if (bytes === undefined || !isWholeKey(bytes)) refuseBase58(text);
  if (bytes === undefined)
    throw new PublicKeyError(`This text of ${file.length} bytes is not a key. ${FORMS}`);
  return keysOfBytes(bytes);
}

function refusePrivateText(text: string): void {
  const isPrivateJwk = text.startsWith("{") && /"d"\s*:/.test(text);
  if (text.includes("PRIVATE KEY") || isPrivateJwk) throw new PublicKeyError(PRIVATE_KEY);
}

function refuseOtherText(text: string): void {
  if (text === "") throw new PublicKeyError(`This is empty. ${FORMS}`);
  if (/^(?:ssh|ecdsa|sk)-\S+ /.test(text))
    throw new PublicKeyError(`This is a key in OpenSSH's own form. ${FORMS}`);
  if (text.startsWith("{"))
    throw new PublicKeyError(`This is JSON; of a JWK, give the member x alone. ${FORMS}`);
  if (/^["']?0x[\da-f\s:]*["']?$/i.test(text))
    throw new PublicKeyError(`This begins with 0x: give the hex digits without it. ${FORMS}`);
}

/** Base64 has these letters too, so a text is told by its length: 32 bytes, such bytes behind a type, or a pair. */
const BASE58_KEY = /^(?:(?:did:key:)?z6Mk)?[1-9A-HJ-NP-Za-km-z]{43,44}$/;
const BASE58_PAIR = /^[1-9A-HJ-NP-Za-km-z]{87,88}$/;

function refuseBase58(text: string): void {
  if (BASE58_PAIR.test(text)) throw new PublicKeyError(PRIVATE_KEY);
  if (BASE58_KEY.test(text))
    throw new PublicKeyError(`This is Base58: decode it, and give the key's 32 bytes in hex. ${FORMS}`);
}

/** Its lines may be one, indented or in quotes, as variables and documents hold them. */
const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----(.*?)(?:-----END \1-----|$)/gs;

function keysOfPem(text: string): readonly Buffer[] {
  if (text.includes("\\"))
    throw new PublicKeyError(
      "The line ends of this PEM are the two characters \\n, as in JSON or a variable: write real line ends in their place.",
    );
  const blocks = [...text.matchAll(PEM_BLOCK)];
  const other = blocks.find(([, label]) => label !== "PUBLIC KEY");
  if (blocks.length === 0 || other !== undefined)
    throw new PublicKeyError(`This PEM holds something else: ${other?.[1] ?? "unnamed"}. ${FORMS}`);
  const beside = text.replace(PEM_BLOCK, " ").split(/\s+/).map(bytesOfText).filter(isWholeKey);
  const within = blocks.map(([, , body = ""]) => bytesOfText(body) ?? Buffer.of(SEQUENCE));
  return [...within, ...beside].flatMap(keysOfBytes);
}

/** The bytes that a text spells in hex, Base64 or base64url; undefined for any other text. */
function bytesOfText(text: string): Buffer | undefined {
  const packed = text.replace(/\s+/g, "");
  const digits = packed.replaceAll(":", "");
  if (/^(?:[0-9a-fA-F]{2})+$/.test(digits)) return Buffer.from(digits, "hex");
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(packed)) return undefined;
  const bytes = Buffer.from(packed, "base64");
  const spelling = packed.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  return bytes.toString("base64").replace(/=+$/, "") === spelling ? bytes : undefined;
}

const isSpki = (bytes: Buffer): boolean =>
  bytes.length === SPKI_BYTES && bytes.subarray(0, SPKI_HEADER.length).equals(SPKI_HEADER);

const isWholeKey = (bytes: Buffer | undefined): bytes is Buffer =>
  bytes !== undefined && (bytes.length === POINT_BYTES || isSpki(bytes));

const isPrivate = (bytes: Buffer): boolean => {
  const hex = bytes.toString("hex");
  return PKCS8_HEADERS.some((header) => hex.startsWith(header));
};

function keysOfBytes(bytes: Buffer): readonly Buffer[] {
  if (bytes.length === 64 || isPrivate(bytes)) throw new PublicKeyError(PRIVATE_KEY);
  if (bytes.length === POINT_BYTES) return [bytes];
  const parts = Array.from({ length: Math.ceil(bytes.length / SPKI_BYTES) }, (_, at) =>
    bytes.subarray(at * SPKI_BYTES, (at + 1) * SPKI_BYTES),
  );
  if (parts.every(isSpki)) return parts.map((part) => part.subarray(SPKI_HEADER.length));
  if (bytes[0] === SEQUENCE) refuseOtherType(bytes);
  throw new PublicKeyError(`This has ${bytes.length} bytes; a raw key has ${POINT_BYTES}. ${FORMS}`);
}

function refuseOtherType(der: Buffer): void {
  let type: string | undefined;
  try {
    type = createPublicKey({ key: der, format: "der", type: "spki" }).asymmetricKeyType;
  } catch (cause) {
    throw new PublicKeyError(`This public key is damaged or of an unknown kind. ${FORMS}`, { cause });
  }
  if (type !== "ed25519")
    throw new PublicKeyError(`This is a key of type ${type}; requests are signed with Ed25519. ${FORMS}`);
}
