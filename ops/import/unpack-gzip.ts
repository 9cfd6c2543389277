import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const MAGIC = 0x1f;
const PADDING = 0x00;

/** The packed bytes that were handed out to a decompressor, and can be taken back as far as it did not want them. */
class Packed {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #handedOut: Buffer[] = [];
  /** Bytes that were handed out before those that are remembered. */
  #forgottenBytes = 0;
  #pending: Promise<unknown> = Promise.resolve();

  constructor(source: AsyncIterator<Buffer>) {
    this.#source = source;
  }

  /** The next bytes; none at the end. */
  async #next(): Promise<Buffer | undefined> {
    if (this.#rest.length > 0) {
      const rest = this.#rest;
      this.#rest = Buffer.alloc(0);
      return rest;
    }
    const { done, value } = await this.#source.next();
    return done === true ? undefined : value;
  }

  /** Passes over padding. @returns the first byte of what follows; nothing at the end. */
  async skipPadding(): Promise<number | undefined> {
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) {
      const at = chunk.findIndex((byte) => byte !== PADDING);
      if (at < 0) continue;
      this.#rest = chunk.subarray(at);
      return this.#rest[0];
    }
    return undefined;
  }

  /** The bytes from here on, for one decompressor, which says how many it has used and may stop reading anywhere. */
  async *handOut(usedBytes: () => number): AsyncGenerator<Buffer> {
    this.#handedOut = [];
    this.#forgottenBytes = 0;
    for (;;) {
      const next = this.#next().then((chunk) => {
        if (chunk !== undefined) this.#handedOut.push(chunk);
        return chunk;
      });
      this.#pending = next;
      const chunk = await next;
      if (chunk === undefined) return;
      yield chunk;
      this.#forget(usedBytes());
    }
  }

  /** Drops what was used whole. */
  #forget(usedBytes: number): void {
    for (let [first] = this.#handedOut; first !== undefined; [first] = this.#handedOut) {
      if (this.#forgottenBytes + first.length > usedBytes) return;
      this.#forgottenBytes += first.length;
      this.#handedOut.shift();
    }
  }

  /** Takes back what was handed out beyond so many bytes. */
  async takeBack(usedBytes: number): Promise<void> {
    await this.#pending;
    const kept = Buffer.concat([...this.#handedOut, this.#rest]);
    this.#rest = kept.subarray(usedBytes - this.#forgottenBytes);
  }
}

/**
 * Unpacks gzip data of one member or several (RFC 1952), one after the other or with zeros between and after them, as
 * tapes and block stores leave them. The platform's decompressor takes such zeros for the end.
 *
 * @throws {Error} with a zlib code for anything else than another member after one.
 */
export async function* unpackGzip(bytes: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  const packed = new Packed(bytes);
  for (let first = await packed.skipPadding(); first !== undefined; first = await packed.skipPadding()) {
    if (first !== MAGIC) throw Object.assign(new Error("incorrect header check"), { code: "Z_DATA_ERROR" });
    const gunzip = createGunzip();
    const input = Readable.from(packed.handOut(() => gunzip.bytesWritten));
    // A failure of either stage reaches the loop that reads the last one, so the callback has nothing to add.
    yield* pipeline(input, gunzip, () => {}) as AsyncIterable<Buffer>;
    // It would go on taking what its decompressor does not want any more.
    input.destroy();
    await packed.takeBack(gunzip.bytesWritten);
  }
}
