const LEADING_DIGITS_MAX = 8;
const TRAILING_DIGITS_MAX = 4;

const SEPARATORS = /[ -]/g;
const MASKED = new RegExp(String.raw`^\d{0,${LEADING_DIGITS_MAX}}[*xX#.•●·]+\d{0,${TRAILING_DIGITS_MAX}}$`);
const PART_ONLY = new RegExp(String.raw`^\d{0,${LEADING_DIGITS_MAX}}$`);

/**
 * Whether a card number shows no more than its first eight and its last four digits, because the issuer's number, of
 * six or eight digits, and the last four may be shown (PCI DSS 4.0, requirement 3.4.1): `4594 80** **** 8529`,
 * `45948012****8529`, `•••• 8529`. Spaces and hyphens do not break a run of digits, and digits between two masked parts
 * are neither first nor last.
 */
export function isMaskedCardNumber(text: string): boolean {
  const joined = text.replace(SEPARATORS, "");
  return MASKED.test(joined) || PART_ONLY.test(joined);
}
