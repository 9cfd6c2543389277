/** A number as DynamoDB keeps it: a sign, its significant digits, and the power of ten of the first digit. */
export interface StoredNumber {
  readonly sign: -1 | 0 | 1;
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  readonly magnitude: number;
}

/** The parts of the pattern begin with different characters, so that it reads a text without backtracking. */
const NUMBER = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d+))?$/;
const ZERO: StoredNumber = { sign: 0, digits: "", magnitude: 0 };
/** Much longer than any number that can be stored, zeros included. */
const MAX_TEXT = 1_000;

/** Reads the text of a number; undefined when it is not a number, or longer than `MAX_TEXT` characters. */
export function numberOf(text: string): StoredNumber | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const [, sign, plain = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const [whole = "", fraction = ""] = plain.split(".");
  const written = whole + fraction;
  const significant = written.replace(/^0+/, "");
  const digits = significant.slice(0, lastDigit(significant) + 1);
  if (digits === "") return ZERO;
  const leadingZeros = written.length - significant.length;
  const magnitude = whole.length - 1 - leadingZeros + Number(exponent);
  return { sign: sign === "-" ? -1 : 1, digits, magnitude };
}

/** The position of the last digit other than zero, or -1. A pattern for trailing zeros takes quadratic time. */
function lastDigit(digits: string): number {
  let at = digits.length - 1;
  while (digits[at] === "0") at -= 1;
  return at;
}

/** Negative, zero or positive, as the first number is less than, equal to or greater than the second. */
export function compareNumbers(left: StoredNumber, right: StoredNumber): number {
  if (left.sign !== right.sign) return left.sign - right.sign;
  if (left.magnitude !== right.magnitude) return (left.magnitude - right.magnitude) * left.sign;
  if (left.digits === right.digits) return 0;
  return (left.digits < right.digits ? -1 : 1) * left.sign;
}

/**
 * The bytes that a number adds to an item: one, one for each two digits before the point, one for each two after it,
 * and one for a minus sign. The developer guide says "approximately" and does not mention the point; this was measured
 * on AWS.
 */
export function numberBytes({ sign, digits, magnitude }: StoredNumber): number {
  if (sign === 0) return 1;
  const wholeDigits = Math.min(Math.max(magnitude + 1, 0), digits.length);
  const pairs = Math.ceil(wholeDigits / 2) + Math.ceil((digits.length - wholeDigits) / 2);
  return 1 + pairs + (sign === -1 ? 1 : 0);
}
