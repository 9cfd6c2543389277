import { type Decimal, decimalText } from "../../../lib/trades/decimal.ts";

/** Zero, from which sums begin. */
export const ZERO: Decimal = { mantissa: 0n, scale: 0 };

/** The mantissa of a decimal when it is written with more digits after the point. */
const mantissaAt = ({ mantissa, scale }: Decimal, wanted: number): bigint =>
  mantissa * 10n ** BigInt(wanted - scale);

/** The exact sum of two decimals, with the digits of the finer one. */
export function sumOf(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { mantissa: mantissaAt(one, scale) + mantissaAt(other, scale), scale };
}

/** Whether a decimal is the greater one of two, however many digits each is written with. */
export function isGreater(one: Decimal, other: Decimal): boolean {
  const scale = Math.max(one.scale, other.scale);
  return mantissaAt(one, scale) > mantissaAt(other, scale);
}

/** A decimal with all of its digits. */
export const exactText = ({ mantissa, scale }: Decimal): string => decimalText(mantissa, scale);

/** Where a decimal is drawn. Only pixels may be placed by a float: what is read is {@link exactText}. */
export const drawnAt = (decimal: Decimal): number => Number(exactText(decimal));
