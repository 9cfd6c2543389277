import type { Brand } from "../brand.ts";
import type { SellOrderDocument } from "./sell-order-document.ts";

/**
 * What a sell order of the right shape still has wrong, as a sentence that names the member; nothing when all is well.
 * Only the record itself is looked at, so that the order in which versions arrive cannot change the answer.
 */
export const sellOrderViolation = (
  { payment }: SellOrderDocument,
  { ownAccount }: Brand,
): string | undefined => (payment === ownAccount ? undefined : `payment must be ${ownAccount}`);

/**
 * What is unusual about a sell order by itself: a deposit went back or was credited, and none is named. A deposit that
 * was never matched with its order is returned like any other.
 */
export function sellOrderOddity({ fail_reason, transaction_hash }: SellOrderDocument): string | undefined {
  const isOfDeposit = fail_reason === "REFUNDED" || fail_reason === "CREDITED_AS_CRYPTO";
  return isOfDeposit && transaction_hash === undefined
    ? `fail_reason ${fail_reason} without a transaction_hash`
    : undefined;
}
