/**
 * A number as it was written: `mantissa` counts units of 10^-`scale`, so "0.10" is 10 and 2. Leading zeros are refused,
 * so text and pair determine each other to the letter, and no float ever stands between them.
 */
export interface Decimal {
  readonly mantissa: bigint;
  /** Digits after the point. */
  readonly scale: number;
}

/** The most digits of a price or a quantity: 38 hold any amount of any chain. */
export const DIGITS_MAX = 38;

/** Plain digits, and a point before decimals. */
export const PLAIN = /^(?:0|[1-9]\d*)(?:\.(\d+))?$/;
const EXPONENT = /^[+-]?\d+(?:\.\d+)?[eE][+-]?\d+$/;

/**
 * The rule that a text breaks, in words that follow the member's name and repeat no value; undefined for a plain
 * decimal.
 */
export function decimalViolation(text: string): string | undefined {
  if (EXPONENT.test(text)) return "must be written in plain digits, without an exponent";
  if (/^-\d/.test(text)) return "must not be negative: the side of a trade has its own member";
  if (!PLAIN.test(text)) return "must be a plain decimal such as 100.00: digits, and a point before decimals";
  if (text.replace(".", "").length > DIGITS_MAX) return `must have ${DIGITS_MAX} digits at most`;
  return undefined;
}

/** Reads a text that {@link decimalViolation} accepts. */
export function decimalOf(text: string): Decimal {
  const point = text.indexOf(".");
  if (point < 0) return { mantissa: BigInt(text), scale: 0 };
  return { mantissa: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

/** The text of a decimal, letter for letter as it was read. */
export function decimalText(mantissa: bigint | number, scale: number): string {
  const digits = String(mantissa);
  if (scale === 0) return digits;
  const padded = digits.length > scale ? digits : digits.padStart(scale + 1, "0");
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
