import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";

/**
 * Stands in a function's bundle for the SDK's checksums, which bring a SHA-256 of their own for platforms that have
 * none, 4 KB. The SDK calls it by this name.
 */
export class Sha256 {
  readonly digestLength = 32;
  readonly #secret: Uint8Array | string | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: Uint8Array | string) {
    this.#secret = secret;
    this.#hash = this.#begin();
  }

  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }

  /** The digest of all that was given; to be asked for once. */
  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret ? createHmac("sha256", this.#secret) : createHash("sha256");
  }
}
