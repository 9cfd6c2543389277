import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from "node:crypto";
import type { Checksum, SourceData } from "@smithy/types";
import { RecentMap } from "../../lib/recent-map.ts";

/**
 * SHA-256, with a secret or without, for the SDK's signer. The SDK's own class hands Node.js the bytes of a secret each
 * time, and Node.js then makes a key of them: a third of the CPU of a signature. Here each secret is made a key once.
 */
export class Sha256 implements Checksum {
  readonly #hash: Hash | Hmac;

  constructor(secret?: SourceData) {
    // The SDK does not take an empty text for a secret either.
    this.#hash = secret ? createHmac("sha256", keyOf(secret)) : createHash("sha256");
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error("A hash is made for each text.");
  }
}

/** More than the secrets of a day: the credentials' own, and those that lead from it to the key of the day. */
const KEYS_MAX = 16;

const keys = new RecentMap<SourceData, KeyObject>(KEYS_MAX);

/** The key of a secret: of a text by what it says, of bytes by the array that the signer keeps them in. */
function keyOf(secret: SourceData): KeyObject {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const key = typeof secret === "string" ? createSecretKey(secret, "utf8") : createSecretKey(bytesOf(secret));
  keys.set(secret, key);
  return key;
}

const bytesOf = (secret: Exclude<SourceData, string>): Uint8Array =>
  ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret);
