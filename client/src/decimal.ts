/**
 * A decimal number as text, with exactly the digits that the service sent, such as `0.991438254750782685`. It is text
 * because a JavaScript number has 15 to 17 digits. Hand it to a library for decimals, or to a database's `NUMERIC`.
 */
export type Decimal = string;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The JavaScript number that is nearest to a decimal. **It may lose digits**: `0.991438254750782685` becomes
 * `0.9914382547507827`, and `33.80` becomes `33.8`. Ask {@link isExact} whether the value changed. For sums of money, use
 * the text.
 *
 * @throws {RangeError} for a text that is not a decimal number.
 */
export function toNumber(decimal: Decimal): number {
  if (!DECIMAL.test(decimal)) throw new RangeError(`"${decimal}" is not a decimal number.`);
  return Number(decimal);
}

/**
 * Whether {@link toNumber} keeps the value: the number, printed, has all digits of the decimal but zeros at its end.
 *
 * @example
 * isExact("33.80") // → true
 * isExact("0.991438254750782685") // → false
 * @throws {RangeError} for a text that is not a decimal number.
 */
export const isExact = (decimal: Decimal): boolean =>
  normalized(String(toNumber(decimal))) === normalized(decimal);

/** One text for each value: sign, digits without zeros at either end, and the power of ten that they count. */
function normalized(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
  const written = `${whole}${fraction}`.replace(/^0+/, "");
  const digits = /^\d*[1-9]/.exec(written)?.[0] ?? "";
  if (digits === "") return /\d/.test(whole) ? "0" : text;
  return `${sign}${digits}e${Number(exponent) - fraction.length + written.length - digits.length}`;
}
