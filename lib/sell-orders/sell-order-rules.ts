import type { Brand } from "../brand.ts";
import type { SellOrderDocument } from "./sell-order-document.ts";

/** One rule: what is wrong with an order that breaks it. */
type Rule = (order: SellOrderDocument, brand: Brand) => string | undefined;

const payoutMethod: Rule = ({ payment }, { ownAccount }) =>
  payment === ownAccount ? undefined : `payment must be ${ownAccount}`;

const deposit: Rule = ({ fail_reason, transaction_hash }) => {
  if (fail_reason === "EXPIRED" && transaction_hash !== undefined) {
    return "transaction_hash must be left out when fail_reason is EXPIRED: no deposit came";
  }
  const isAfterDeposit = fail_reason === "REFUNDED" || fail_reason === "CREDITED_AS_CRYPTO";
  return isAfterDeposit && transaction_hash === undefined
    ? `transaction_hash is required when fail_reason is ${fail_reason}: a deposit came`
    : undefined;
};

const rules: readonly Rule[] = [payoutMethod, deposit];

/**
 * What a sell order of the right shape still has wrong, as sentences that name the members; nothing when all is well.
 * Only the record itself is looked at, so that the order in which versions arrive cannot change the answer.
 */
export function sellOrderFault(order: SellOrderDocument, brand: Brand): string | undefined {
  const faults = rules.map((rule) => rule(order, brand)).filter((fault) => fault !== undefined);
  return faults.length === 0 ? undefined : faults.join("; ");
}
