/** The most digits of a decimal that readers of Parquet agree on. */
export const PRECISION_MAX = 38;

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Finds the scale of a column: the digits after the point that hold every value of the column exactly. */
export class DecimalFit {
  #wholeDigits = 0;
  #scale = 0;
  #isPlain = true;

  /** Sees a value of the column. */
  see(text: string): void {
    const [, , whole = "", fraction = ""] = PLAIN.exec(text) ?? [];
    if (whole === "") this.#isPlain = false;
    this.#wholeDigits = Math.max(this.#wholeDigits, whole.replace(/^0+/, "").length);
    this.#scale = Math.max(this.#scale, fraction.length);
  }

  /** Undefined when no scale holds every value: one has an exponent, or all of them together need too many digits. */
  get scale(): number | undefined {
    return this.#isPlain && this.#wholeDigits + this.#scale <= PRECISION_MAX ? this.#scale : undefined;
  }
}

/** A plain decimal times ten to the power of `scale`, which has to be at least the number of its fraction's digits. */
export function unscaled(text: string, scale: number): bigint {
  const [, sign = "", whole = "", fraction = ""] = PLAIN.exec(text) ?? [];
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, "0")}`);
}
