import { authority, customers, type DemoBusiness, merchants, neighbours, suppliers } from "./businesses.ts";
import { drawInteger, drawOne } from "./draw.ts";
import type { DemoLeg, DemoShape, OwnType, TransferKind } from "./transaction-shape.ts";

/** Units of the foreign currency that one hundred units of sterling buy. */
const PER_HUNDRED_STERLING = { GBP: 100, EUR: 116, USD: 131 } as const;

const fromSterling = (minor: number, currency: keyof typeof PER_HUNDRED_STERLING): number =>
  Math.round((minor * PER_HUNDRED_STERLING[currency]) / 100);

function shapeCardPayment(business: DemoBusiness, label: string): DemoShape {
  const { merchant, currency } = drawOne(`${label}/merchant`, merchants);
  const amountMinor = -drawInteger(`${label}/amount`, 3_20, 240_00);
  const bill =
    currency === "GBP" ? {} : { bill: { amountMinor: fromSterling(amountMinor, currency), currency } };
  const leg = { account: business.main, amountMinor, ...bill, description: merchant.name };
  return { type: "card_payment", legs: [leg], merchant, card: drawOne(`${label}/card`, business.cards) };
}

function shapeAtm(business: DemoBusiness, label: string): DemoShape {
  const amountMinor = -10_00 * drawInteger(`${label}/amount`, 2, 30);
  const leg = { account: business.main, amountMinor, feeMinor: 1_50, description: "Cash withdrawal" };
  return { type: "atm", legs: [leg], card: drawOne(`${label}/card`, business.cards) };
}

function shapeExchange(business: DemoBusiness, label: string): DemoShape {
  const bought = drawOne(`${label}/currency`, business.foreign);
  const soldMinor = 50_00 * drawInteger(`${label}/amount`, 4, 40);
  const boughtMinor = fromSterling(soldMinor, bought.currency);
  const description = `Exchange GBP to ${bought.currency}`;
  const sold: DemoLeg = {
    account: business.main,
    amountMinor: -soldMinor,
    bill: { amountMinor: -boughtMinor, currency: bought.currency },
    counterparty: { kind: "self", accountId: bought.id },
    description,
  };
  const counterparty = { kind: "self", accountId: business.main.id } as const;
  return {
    type: "exchange",
    legs: [sold, { account: bought, amountMinor: boughtMinor, counterparty, description }],
  };
}

function shapeTransfer(business: DemoBusiness, label: string): DemoShape {
  const supplier = drawOne(`${label}/party`, suppliers);
  const leg: DemoLeg = {
    account: business.main,
    amountMinor: -drawInteger(`${label}/amount`, 85_00, 1_900_00),
    feeMinor: 20,
    counterparty: { kind: "external", id: supplier.id, accountId: supplier.accountId },
    description: `To ${supplier.name}`,
  };
  return {
    type: "transfer",
    legs: [leg],
    reference: `${supplier.purpose} ${drawInteger(`${label}/no`, 1000, 9999)}`,
    isRequested: true,
  };
}

function shapeNeighbourTransfer(business: DemoBusiness, label: string): DemoShape {
  const neighbour = drawOne(`${label}/party`, neighbours);
  const leg: DemoLeg = {
    account: business.main,
    amountMinor: -drawInteger(`${label}/amount`, 25_00, 400_00),
    counterparty: { kind: "neighbour", id: neighbour.id, accountId: neighbour.accountId },
    description: `To ${neighbour.name}`,
  };
  return { type: "transfer", legs: [leg], reference: neighbour.purpose, isRequested: true };
}

function shapeOwnTransfer(business: DemoBusiness, label: string): DemoShape {
  const amountMinor = 100_00 * drawInteger(`${label}/amount`, 1, 20);
  const description = "Set aside for tax";
  const out: DemoLeg = {
    account: business.main,
    amountMinor: -amountMinor,
    counterparty: { kind: "self", accountId: business.reserve.id },
    description,
  };
  const counterparty = { kind: "self", accountId: business.main.id } as const;
  return {
    type: "transfer",
    legs: [out, { account: business.reserve, amountMinor, counterparty, description }],
    isRequested: true,
  };
}

function shapeTopup(business: DemoBusiness, label: string): DemoShape {
  const customer = drawOne(`${label}/party`, customers);
  const leg: DemoLeg = {
    account: business.main,
    amountMinor: drawInteger(`${label}/amount`, 900_00, 4_800_00),
    counterparty: { kind: "external", id: customer.id, accountId: customer.accountId },
    description: `From ${customer.name}`,
  };
  return { type: "topup", legs: [leg], reference: customer.purpose };
}

function shapeTax(business: DemoBusiness, label: string): DemoShape {
  const leg: DemoLeg = {
    account: business.reserve,
    amountMinor: -drawInteger(`${label}/amount`, 400_00, 2_600_00),
    counterparty: { kind: "external", id: authority.id, accountId: authority.accountId },
    description: authority.purpose,
  };
  return {
    type: "tax",
    legs: [leg],
    reference: `VAT ${drawInteger(`${label}/no`, 100_000, 999_999)}`,
    isRequested: true,
  };
}

/** A move on the main account that names nobody. */
const shapePlain =
  (type: "charge" | "fee" | "loan", description: string, low: number, high: number) =>
  (business: DemoBusiness, label: string): DemoShape => ({
    type,
    legs: [{ account: business.main, amountMinor: drawInteger(`${label}/amount`, low, high), description }],
  });

/** What each kind of transaction looks like, drawn from a label. */
export const shapes: Readonly<
  Record<OwnType | TransferKind, (business: DemoBusiness, label: string) => DemoShape>
> = {
  atm: shapeAtm,
  card_payment: shapeCardPayment,
  charge: shapePlain("charge", "Extra team members", -48_00, -12_00),
  exchange: shapeExchange,
  transfer: shapeTransfer,
  neighbour_transfer: shapeNeighbourTransfer,
  own_transfer: shapeOwnTransfer,
  loan: shapePlain("loan", "Working capital advance", 2_500_00, 9_000_00),
  fee: shapePlain("fee", "Monthly plan fee", -30_00, -5_00),
  topup: shapeTopup,
  tax: shapeTax,
};
