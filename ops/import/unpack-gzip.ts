import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const MAGIC = 0x1f;
const PADDING = 0x00;

/** Hands packed bytes out to a decompressor, and takes back those that the decompressor did not use. */
class Packed {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #handedOut: Buffer[] = [];
  /** How many bytes were handed out before those in `#handedOut`. */
  #forgottenBytes = 0;
  #pending: Promise<unknown> = Promise.resolve();

  constructor(source: AsyncIterator<Buffer>) {
    this.#source = source;
  }

  /** The next bytes; undefined at the end. */
  async #next(): Promise<Buffer | undefined> {
    if (this.#rest.length > 0) {
      const rest = this.#rest;
      this.#rest = Buffer.alloc(0);
      return rest;
    }
    const { done, value } = await this.#source.next();
    return done === true ? undefined : value;
  }

  /** Skips padding. @returns the first byte after it; undefined at the end. */
  async skipPadding(): Promise<number | undefined> {
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) {
      const at = chunk.findIndex((byte) => byte !== PADDING);
      if (at < 0) continue;
      this.#rest = chunk.subarray(at);
      return this.#rest[0];
    }
    return undefined;
  }

  /** The bytes from here on, for one decompressor. It may stop at any byte; `usedBytes` says how many it has used. */
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

  /** Drops the chunks of which every byte was used. */
  #forget(usedBytes: number): void {
    for (let [first] = this.#handedOut; first !== undefined; [first] = this.#handedOut) {
      if (this.#forgottenBytes + first.length > usedBytes) return;
      this.#forgottenBytes += first.length;
      this.#handedOut.shift();
    }
  }

  /** Takes back all handed-out bytes after the first `usedBytes`. */
  async takeBack(usedBytes: number): Promise<void> {
    await this.#pending;
    const kept = Buffer.concat([...this.#handedOut, this.#rest]);
    this.#rest = kept.subarray(usedBytes - this.#forgottenBytes);
  }
}

/**
 * Unpacks gzip data of one or more members (RFC 1952). Zeros may stand between and after the members, as tapes and
 * block stores leave them; Node.js's decompressor would end at such zeros.
 *
 * @throws {Error} with a zlib code for damaged data, and when a member is followed by anything but zeros or a member.
 */
export async function* unpackGzip(bytes: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  const packed = new Packed(bytes);
  for (let first = await packed.skipPadding(); first !== undefined; first = await packed.skipPadding()) {
    if (first !== MAGIC) throw Object.assign(new Error("incorrect header check"), { code: "Z_DATA_ERROR" });
    const gunzip = createGunzip();
    const input = Readable.from(packed.handOut(() => gunzip.bytesWritten));
    // A failure of either stage reaches the loop that reads the last stage, so the callback has nothing to do.
    yield* pipeline(input, gunzip, () => {}) as AsyncIterable<Buffer>;
    // Otherwise the input would go on taking bytes that the ended decompressor does not use.
    input.destroy();
    await packed.takeBack(gunzip.bytesWritten);
  }
}
