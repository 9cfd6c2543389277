import type { Brand } from "../../lib/brand.ts";
import { writeExactJson } from "../../lib/json/exact-json.ts";
import { amountOf, exactDecimal } from "./amount.ts";
import { drawHex, drawInteger } from "./draw.ts";
import {
  type DemoOutcome,
  hasDeposit,
  type OrderShape,
  type PlannedOrder,
  planOrders,
  shapeOf,
} from "./sell-order-plan.ts";

/** A sell order as it is handed to the writer. */
export interface DemoSellOrder {
  readonly partnerId: string;
  readonly id: string;
  readonly outcome: DemoOutcome;
  readonly shape: OrderShape;
  /** The document: JSON in the contract's shape. */
  readonly text: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const RAMP_FEE_PERCENT = 1;
const PARTNER_FEE_PERMILLE = 5;
const CENTS_OF_DOLLAR_PER_EURO = 117;

/** Every sell order of the demo. Days are counted back from the anchor, a midnight (epoch milliseconds, UTC). */
export function demoSellOrders(anchorMs: number, brand: Brand): DemoSellOrder[] {
  return planOrders().map((order) => ({
    partnerId: order.partnerId,
    id: order.id,
    outcome: order.outcome,
    shape: shapeOf(order),
    text: writeExactJson(documentOf(order, anchorMs, brand)),
  }));
}

/** A size whose last digit is not zero, so that every decimal can be seen to survive. */
function sizeOf({ label, crypto }: PlannedOrder): bigint {
  const milli = BigInt(
    drawInteger(`${label}/size`, Math.ceil(crypto.sizeMaxMilli / 10), crypto.sizeMaxMilli),
  );
  const tail = BigInt(`0x${drawHex(`${label}/tail`, 15)}`) % 10n ** BigInt(crypto.decimals - 3);
  const units = milli * 10n ** BigInt(crypto.decimals - 3) + tail;
  return units % 10n === 0n ? units + 1n : units;
}

const euros = (cents: number) => ({ amount: amountOf(cents), currency: "EUR" });
const dollars = (eurCents: number) => ({
  amount: amountOf(Math.round((eurCents * CENTS_OF_DOLLAR_PER_EURO) / 100)),
  currency: "USD",
});

/** The members are in the contract's order; those without a value leave no trace. */
function documentOf(order: PlannedOrder, anchorMs: number, brand: Brand): object {
  const { crypto, outcome, label } = order;
  const units = sizeOf(order);
  const grossCents = Number((units * crypto.rateCents) / 10n ** BigInt(crypto.decimals));
  const rampCents = Math.round((grossCents * RAMP_FEE_PERCENT) / 100);
  const partnerCents = order.hasPartnerFee
    ? Math.round((grossCents * PARTNER_FEE_PERMILLE) / 1000)
    : undefined;
  const feesIn = (money: typeof euros) => ({
    ramp_fee: money(rampCents),
    partner_fee: partnerCents === undefined ? undefined : money(partnerCents),
  });
  return {
    id: order.id,
    fiat: euros(grossCents - rampCents - (partnerCents ?? 0)),
    crypto: { amount: exactDecimal(units, crypto.decimals), currencyId: crypto.currencyId },
    fees: feesIn(euros),
    exchange_rate: exactDecimal(crypto.rateCents, 2),
    payment: brand.ownAccount,
    ...timesOf(order, anchorMs),
    ...outcome,
    wallet: walletOf(order),
    transaction_hash: hasDeposit(order)
      ? `${isBitcoin(order) ? "" : "0x"}${drawHex(`${label}/hash`, 64)}`
      : undefined,
    fees_partner_currency: order.hasPartnerRate ? feesIn(dollars) : {},
  };
}

/** Orders that are under way are of the last day; the others lie within the past month. */
function timesOf({ label, outcome }: PlannedOrder, anchorMs: number) {
  const isOpen = outcome.status === "AWAITING_DEPOSIT" || outcome.status === "PROCESSING";
  const daysBefore = isOpen ? 1 : drawInteger(`${label}/days`, 2, 29);
  const createdMs = anchorMs - daysBefore * DAY_MS + drawInteger(`${label}/time`, 0, DAY_MS / 2);
  const tookMs =
    outcome.status === "AWAITING_DEPOSIT" ? 0 : drawInteger(`${label}/took`, 2 * MINUTE_MS, 90 * MINUTE_MS);
  return {
    created_at: new Date(createdMs).toISOString(),
    updated_at: new Date(createdMs + tookMs).toISOString(),
  };
}

const isBitcoin = ({ crypto }: PlannedOrder): boolean => crypto.currencyId === "BTC";

/** Known once the customer's wallet has connected, which always precedes a deposit. */
function walletOf(order: PlannedOrder): string | undefined {
  if (!hasDeposit(order) && drawInteger(`${order.label}/wallet`, 0, 1) === 0) return undefined;
  return isBitcoin(order)
    ? `bc1q${drawHex(`${order.label}/address`, 38).replaceAll("1", "q").replaceAll("b", "z")}`
    : `0x${drawHex(`${order.label}/address`, 40)}`;
}
