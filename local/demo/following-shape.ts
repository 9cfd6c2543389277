import type { DemoLeg, DemoShape, FollowingType } from "./transaction-shape.ts";

const FOLLOWING_DESCRIPTIONS: Readonly<Record<FollowingType, string>> = {
  card_refund: "Refund",
  card_chargeback: "Disputed payment returned",
  card_credit: "Cashback",
  charge_refund: "Charge returned",
  refund: "Payment returned by the receiver",
  topup_return: "Top-up returned to its sender",
  tax_refund: "Overpaid tax returned",
};

const CASHBACK_PERCENT = 2;

/** What follows an earlier transaction: the same account, parties and card, and the amount the other way round. */
export function shapeFollowing(type: FollowingType, origin: DemoShape): DemoShape {
  const { account, amountMinor, bill, counterparty } = origin.legs[0];
  const percent = type === "card_credit" ? CASHBACK_PERCENT : 100;
  const back = (minor: number): number => -Math.round((minor * percent) / 100);
  const leg: DemoLeg = {
    account,
    amountMinor: back(amountMinor),
    ...(bill && { bill: { amountMinor: back(bill.amountMinor), currency: bill.currency } }),
    ...(counterparty && { counterparty }),
    description: `${FOLLOWING_DESCRIPTIONS[type]}: ${origin.legs[0].description}`,
  };
  const { merchant, card, reference } = origin;
  return {
    type,
    legs: [leg],
    ...(merchant && { merchant }),
    ...(card && { card }),
    ...(reference && { reference }),
  };
}
