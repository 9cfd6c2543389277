const CONTINUES = 0x80;
const BITS = 0x7f;
/** At 7 bits per byte: the longest whole number that a segment holds, 38 digits and a sign, has 129 bits. */
const VARINT_BYTES_MAX = 19;

/** Writes bytes and whole numbers of any length, small ones in few bytes (LEB128). */
export class ByteWriter {
  readonly #bytes: number[] = [];

  byte(value: number): void {
    this.#bytes.push(value);
  }

  /** A whole number from 0 to 2^53 − 1. */
  number(value: number): void {
    let rest = value;
    while (rest > BITS) {
      this.#bytes.push((rest % CONTINUES) | CONTINUES);
      rest = Math.floor(rest / CONTINUES);
    }
    this.#bytes.push(rest);
  }

  /** A whole number of any length, not negative; a short one is written as by {@link number}. */
  bigInt(value: bigint): void {
    let rest = value;
    while (rest > BITS) {
      this.#bytes.push(Number(rest & 0x7fn) | CONTINUES);
      rest >>= 7n;
    }
    this.#bytes.push(Number(rest));
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

/** Reads the bytes of a {@link ByteWriter}. @throws {RangeError} past the end, or on a number that is too long. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new RangeError("The bytes end early.");
    this.#at += 1;
    return value;
  }

  number(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & BITS) * weight;
      if (value > Number.MAX_SAFE_INTEGER) throw new RangeError("A number is too long.");
      if (byte < CONTINUES) return value;
      weight *= CONTINUES;
    }
  }

  bigInt(): bigint {
    let value = 0n;
    for (let index = 0; index < VARINT_BYTES_MAX; index += 1) {
      const byte = this.byte();
      value |= BigInt(byte & BITS) << BigInt(7 * index);
      if (byte < CONTINUES) return value;
    }
    throw new RangeError("A number is too long.");
  }
}

/** Folds the sign into the lowest bit, so that numbers near 0 of either sign are short. */
export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
export const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
export const zigzagBigInt = (value: bigint): bigint => (value < 0n ? -2n * value - 1n : 2n * value);
export const unzigzagBigInt = (value: bigint): bigint =>
  value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
