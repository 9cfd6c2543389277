import { fromBase64 } from "./base64.ts";

/** A private key as a JSON Web Key (RFC 8037), as far as a signer needs it. */
export interface PrivateJwk {
  readonly kty: "OKP" | (string & {});
  readonly crv?: "Ed25519" | (string & {});
  /** The private key, in base64url. */
  readonly d?: string;
  readonly kid?: string;
}

/** An Ed25519 private key: PEM (PKCS #8), a JWK, or its 32 bytes. */
export type PrivateKey = string | PrivateJwk | Uint8Array;

/** Signs bytes by Ed25519. A function of your own may ask a key store or an HSM. */
export type Sign = (bytes: Uint8Array) => Promise<Uint8Array> | Uint8Array;

/** PKCS #8 of an Ed25519 key is this and the key (RFC 8410 section 7). */
export const PKCS8_HEAD = Uint8Array.from([
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
]);
/** The algorithm's name and the head of the key in it. A newer form puts a public key after the private one. */
const KEY_MARK = PKCS8_HEAD.slice(7);
const KEY_BYTES = 32;
/** Its line ends may be blanks, and its lines indented or in quotes: variables and documents hold keys so. */
const PEM = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/g;

/**
 * A signer with a private key: by the platform's WebCrypto, or by \@noble/ed25519 where WebCrypto is absent (pages on
 * plain HTTP) or has no Ed25519.
 *
 * @param name of the option that the key was given with.
 * @throws {TypeError} for what is not a private Ed25519 key. The message shows nothing of it.
 */
export function signerOf(key: PrivateKey | undefined, name = "privateKey"): Sign {
  const seed = seedOf(key, name);
  let ready: Promise<Sign> | undefined;
  return async (bytes) => {
    ready ??= platformSigner(seed).catch(() => nobleSigner(seed));
    return (await ready)(bytes);
  };
}

async function platformSigner(seed: Uint8Array): Promise<Sign> {
  const pkcs8 = Uint8Array.from([...PKCS8_HEAD, ...seed]);
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", false, ["sign"]);
  return async (bytes) => new Uint8Array(await crypto.subtle.sign("Ed25519", key, Uint8Array.from(bytes)));
}

async function nobleSigner(seed: Uint8Array): Promise<Sign> {
  const [{ hashes, sign }, { sha512 }] = await Promise.all([
    import("@noble/ed25519"),
    import("@noble/hashes/sha2.js"),
  ]);
  hashes.sha512 = sha512;
  return (bytes) => sign(bytes, seed);
}

function seedOf(key: PrivateKey | undefined, name: string): Uint8Array {
  if (typeof key === "string" && key.includes("\\n"))
    throw new TypeError(
      `${name}: its line ends are the two characters \\n, as in JSON or a variable: write real line ends, or blanks, in their place.`,
    );
  const seed = readSeed(key);
  if (seed?.length === KEY_BYTES) return seed;
  throw new TypeError(`${name}: must be an Ed25519 private key: PEM (PKCS #8), a JWK with d, or 32 bytes.`);
}

/** The key's bytes; undefined, or of another length, for anything else. */
function readSeed(key: PrivateKey | undefined): Uint8Array | undefined {
  try {
    if (key instanceof Uint8Array) return Uint8Array.from(key);
    if (typeof key !== "string") return key?.crv === "Ed25519" ? fromBase64(key.d ?? "") : undefined;
    const bodies = new Set([...key.matchAll(PEM)].map(([, body = ""]) => body.replaceAll(/\s/g, "")));
    const [body = ""] = bodies;
    // Of two keys, nothing says which one is registered.
    const bytes = fromBase64(bodies.size > 1 ? "" : body);
    const at = bytes.findIndex((_, start) =>
      KEY_MARK.every((byte, offset) => bytes[start + offset] === byte),
    );
    return at === -1 ? undefined : bytes.slice(at + KEY_MARK.length, at + KEY_MARK.length + KEY_BYTES);
  } catch {
    // The parser's message could show a part of the key.
    return undefined;
  }
}
