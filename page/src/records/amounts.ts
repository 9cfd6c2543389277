import { parseTwice } from "../../../client/src/exact-json.ts";

/** An amount of a record, or a rate, with the digits that were sent. */
export interface NamedAmount {
  /** What it is, in words: `leg 1, fee`. */
  readonly name: string;
  readonly amount: string;
  /** Its currency; of a rate both, such as `EUR per ETH`. */
  readonly unit: string;
}

/** The members that name units. */
interface Units {
  readonly currency?: string;
  readonly currencyId?: string;
  readonly bill_currency?: string;
  readonly fiat?: Units;
  readonly crypto?: Units;
}

/** The members of an order by what they are; the path of any other says it. */
const NAMES: Readonly<Record<string, string>> = {
  "fiat.amount": "paid to the customer",
  "crypto.amount": "sold by the customer",
  "fees.ramp_fee.amount": "ramp's fee",
  "fees.partner_fee.amount": "partner's fee",
  "fees_partner_currency.ramp_fee.amount": "ramp's fee, in the partner's currency",
  "fees_partner_currency.partner_fee.amount": "partner's fee, in the partner's currency",
};

/** Every number of an order or a transaction, in the record's order. Each one is money or a rate. */
export function amountsOf(text: string): readonly NamedAmount[] {
  const { plain, exact } = parseTwice(text);
  return amountsIn(plain, exact, []);
}

function amountsIn(plain: unknown, exact: unknown, path: readonly string[]): readonly NamedAmount[] {
  if (typeof plain !== "object" || plain === null) return [];
  return Object.entries(plain).flatMap(([member, value]) => {
    const digits = (exact as Readonly<Record<string, unknown>>)[member];
    const inner = [...path, member];
    if (typeof value !== "number") return amountsIn(value, digits, inner);
    return [{ name: nameOf(inner), amount: digits as string, unit: unitOf(plain, member) }];
  });
}

function nameOf(path: readonly string[]): string {
  const known = NAMES[path.join(".")];
  if (known !== undefined) return known;
  const [list, place, ...rest] = path;
  const words = list === "legs" ? [`leg ${Number(place) + 1}`, ...rest] : path;
  return words.join(", ").replaceAll("_", " ");
}

/** The unit of a member, by what stands beside it. */
function unitOf(
  { currency, currencyId, bill_currency: billed, fiat, crypto }: Units,
  member: string,
): string {
  if (member === "exchange_rate") return `${fiat?.currency} per ${crypto?.currencyId}`;
  return (member === "bill_amount" ? billed : (currency ?? currencyId)) ?? "";
}
