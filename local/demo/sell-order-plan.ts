import { drawInteger, drawOne, drawUlid, drawUuid } from "./draw.ts";

/** Owners of the two ramp API keys. All but a few orders are the first one's. */
export const demoPartners = { first: "tide-wallet", second: "ember-wallet" } as const;

/** Every status and, for the failed ones, every public reason and none at all. */
export const demoOutcomes = [
  { status: "AWAITING_DEPOSIT" },
  { status: "PROCESSING" },
  { status: "COMPLETED" },
  { status: "FAILED", fail_reason: "EXPIRED" },
  { status: "FAILED", fail_reason: "REFUNDED" },
  { status: "FAILED", fail_reason: "FAILED" },
  { status: "FAILED", fail_reason: "CREDITED_AS_CRYPTO" },
  { status: "FAILED" },
] as const;

export type DemoOutcome = (typeof demoOutcomes)[number];

/** What an order came to, in one word: its reason, else its status. */
export const outcomeName = (outcome: DemoOutcome): string =>
  "fail_reason" in outcome ? outcome.fail_reason : outcome.status;

/** A failure that gives no reason; its name would be the one of the reason FAILED. */
export const isUnexplained = (outcome: DemoOutcome): boolean =>
  outcome.status === "FAILED" && !("fail_reason" in outcome);

/** What a customer sells. */
export interface Crypto {
  readonly currencyId: string;
  /** Digits after the point, as the chain counts them. */
  readonly decimals: number;
  /** Cents that one whole unit is worth. */
  readonly rateCents: bigint;
  /** What an order sells at most, in thousandths of a whole unit. */
  readonly sizeMaxMilli: number;
}

const CRYPTOS: readonly [Crypto, ...Crypto[]] = [
  { currencyId: "ETH", decimals: 18, rateCents: 2_914_37n, sizeMaxMilli: 4_000 },
  { currencyId: "BTC", decimals: 8, rateCents: 71_830_05n, sizeMaxMilli: 150 },
  { currencyId: "USDC", decimals: 6, rateCents: 92n, sizeMaxMilli: 5_000_000 },
];

/**
 * What of the partner's an order shows: `withoutPartnerFee` has no `partner_fee` anywhere, `withoutPartnerRate` has `{}`
 * for `fees_partner_currency`, and `bare` is both.
 */
export const orderShapes = ["full", "withoutPartnerFee", "withoutPartnerRate", "bare"] as const;

export type OrderShape = (typeof orderShapes)[number];

export function shapeOf({ hasPartnerFee, hasPartnerRate }: PlannedOrder): OrderShape {
  if (hasPartnerFee) return hasPartnerRate ? "full" : "withoutPartnerRate";
  return hasPartnerRate ? "withoutPartnerFee" : "bare";
}

const ORDERS_PER_OUTCOME = 5;
const SECOND_PARTNER_ORDERS = 3;
/** One order that the demo will hold. Everything about it follows from its label and the anchor day. */
export interface PlannedOrder {
  readonly label: string;
  readonly partnerId: string;
  readonly id: string;
  readonly outcome: DemoOutcome;
  readonly crypto: Crypto;
  readonly hasPartnerFee: boolean;
  readonly hasPartnerRate: boolean;
}

/** Partners spell ids in many ways: a UUID or a ULID, in the case their library likes. */
function idOf(label: string, index: number): string {
  const spellings = [
    drawUuid(label),
    drawUlid(label),
    drawUuid(label).toUpperCase(),
    drawUlid(label).toLowerCase(),
  ];
  return spellings[index % spellings.length] ?? drawUuid(label);
}

function planOrder(partnerId: string, outcome: DemoOutcome, index: number): PlannedOrder {
  const name = isUnexplained(outcome) ? "unexplained" : outcomeName(outcome);
  const label = `sell-order/${partnerId}/${name}/${index}`;
  return {
    label,
    partnerId,
    id: idOf(label, index),
    outcome,
    // The first of each outcome has the most digits that a chain gives.
    crypto: index === 0 ? CRYPTOS[0] : drawOne(`${label}/crypto`, CRYPTOS),
    hasPartnerFee: index % 2 === 0,
    hasPartnerRate: index % 3 !== 1,
  };
}

/** Every order of the demo: several of each outcome for the first partner, a few for the second. */
export function planOrders(): PlannedOrder[] {
  const first = demoOutcomes.flatMap((outcome) =>
    Array.from({ length: ORDERS_PER_OUTCOME }, (_, index) => planOrder(demoPartners.first, outcome, index)),
  );
  const second = demoOutcomes
    .slice(0, SECOND_PARTNER_ORDERS)
    .map((outcome, index) => planOrder(demoPartners.second, outcome, index));
  return [...first, ...second];
}

/** A deposit came in unless the order still waits for one or has waited in vain; of the plain failures, half had one. */
export function hasDeposit({ outcome, label }: PlannedOrder): boolean {
  if (outcome.status === "AWAITING_DEPOSIT" || outcomeName(outcome) === "EXPIRED") return false;
  return outcomeName(outcome) !== "FAILED" || drawInteger(`${label}/deposit`, 0, 1) === 1;
}
