import type { Brand } from "../brand.ts";
import type { SellOrderDocument } from "./sell-order-document.ts";

/**
 * The rule that a sell order of the right shape breaks, as a sentence that names the member; undefined for a good one.
 * Only the record itself is looked at, so that the order in which versions arrive cannot change the result.
 */
export const sellOrderViolation = (
  { payment }: SellOrderDocument,
  { ownAccount }: Brand,
): string | undefined => (payment === ownAccount ? undefined : `payment must be ${ownAccount}`);

/**
 * An oddity of a sell order by itself: a deposit was returned or credited, but the order names none. A deposit that was
 * never matched with its order is returned like any other.
 */
export function sellOrderOddity({ fail_reason, transaction_hash }: SellOrderDocument): string | undefined {
  const isOfDeposit = fail_reason === "REFUNDED" || fail_reason === "CREDITED_AS_CRYPTO";
  return isOfDeposit && transaction_hash === undefined
    ? `fail_reason ${fail_reason} without a transaction_hash`
    : undefined;
}
