import { isUtf8 } from "node:buffer";
import { createPublicKey, type KeyObject } from "node:crypto";
import { Point } from "@noble/ed25519";
import { POINT_BYTES, SPKI_HEADER } from "./ed25519.ts";

/** A text or file that is not a public key to register. The message tells its owner what to hand in instead. */
export class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

const KEEP_PRIVATE =
  "It must not leave the machine that signs with it: register its public half. If it was sent to anyone, " +
  "make a new pair. `openssl pkey -in private.pem -pubout` prints the public half.";
const PRIVATE_KEY = `This is a private key. ${KEEP_PRIVATE}`;
/** Begins the message for 32 bytes that no key generator produces as a public key. 15 in 16 seeds are such bytes. */
const SEED = `These 32 bytes are most likely the seed of a private key. ${KEEP_PRIVATE} If they are not,`;
const FORMS =
  "Give an Ed25519 public key: PEM (-----BEGIN PUBLIC KEY-----), or its 32 bytes in hex, Base64 or base64url.";

/** The bytes before the seed of a private key in its two PKCS #8 forms (RFC 8410 section 7, RFC 5958). */
const PKCS8_HEADERS = ["302e020100300506032b657004220420", "3051020101300506032b657004220420"];

/**
 * Reads a public key to register, and checks it as {@link requireRegistrablePoint} does.
 *
 * @param given content of a file, or a text: SPKI (PEM or DER), or the raw key in hex, Base64 or base64url.
 * @returns the raw key as 64 lower-case hex digits.
 * @throws {PublicKeyError} for everything else, private keys above all. The message never repeats the input.
 */
export function readRegistrableKey(given: Uint8Array | string): string {
  const raw = rawKeyOf(typeof given === "string" ? Buffer.from(given, "utf8") : Buffer.from(given));
  requireRegistrablePoint(raw);
  return raw.toString("hex");
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

/** A raw key is not text: among 32 such bytes there are always some that no text has. */
const isText = (file: Buffer): boolean => isUtf8(file) && !/(?!\s)\p{Cc}/u.test(file.toString("utf8"));

function rawKeyOf(file: Buffer): Buffer {
  const text = file
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  refusePrivateText(text);
  if (!isText(file)) return keyOfBytes(file);
  if (text.includes("-----BEGIN")) return keyOfPem(text);
  refuseOtherText(text);
  const bytes = bytesOfText(text);
  if (bytes === undefined)
    throw new PublicKeyError(`This text of ${file.length} bytes is not a key. ${FORMS}`);
  return keyOfBytes(bytes);
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

function keyOfPem(text: string): Buffer {
  if (text.includes("\\"))
    throw new PublicKeyError(
      "The line ends of this PEM are the two characters \\n, as in JSON or a variable: write real line ends in their place.",
    );
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  if (label !== "PUBLIC KEY")
    throw new PublicKeyError(`This PEM holds something else: ${label ?? "unnamed"}. ${FORMS}`);
  return rawOfKeyObject(() => createPublicKey(text));
}

function rawOfKeyObject(read: () => KeyObject): Buffer {
  let key: KeyObject;
  try {
    key = read();
  } catch (cause) {
    throw new PublicKeyError(`This public key is damaged or of an unknown kind. ${FORMS}`, {
      cause,
    });
  }
  if (key.asymmetricKeyType !== "ed25519")
    throw new PublicKeyError(
      `This is a key of type ${key.asymmetricKeyType}; requests are signed with Ed25519. ${FORMS}`,
    );
  return Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
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

function keyOfBytes(bytes: Buffer): Buffer {
  const hex = bytes.toString("hex");
  if (bytes.length === 64 || PKCS8_HEADERS.some((header) => hex.startsWith(header)))
    throw new PublicKeyError(PRIVATE_KEY);
  const header = bytes.subarray(0, -POINT_BYTES);
  if (header.equals(SPKI_HEADER)) return bytes.subarray(-POINT_BYTES);
  if (bytes.length === POINT_BYTES) return bytes;
  if (bytes[0] === 0x30)
    return rawOfKeyObject(() => createPublicKey({ key: bytes, format: "der", type: "spki" }));
  throw new PublicKeyError(`This has ${bytes.length} bytes; a raw key has ${POINT_BYTES}. ${FORMS}`);
}
