import { contractBrand } from "../../../lib/brand.ts";
import { ULID, UUID } from "../../../lib/sell-orders/order-id.ts";
import { sellOrderDocument } from "../../../lib/sell-orders/sell-order-document.ts";
import type { JsonSchema, MemberTexts, RecordText } from "../json-schema.ts";

/** Keywords for the id of a sell order. */
export const orderIdKeywords: JsonSchema = {
  anyOf: [
    { title: "UUID", pattern: UUID.source },
    { title: "ULID", pattern: ULID.source },
  ],
};

/** A sum of money and its two members. */
const money = (path: string, text: string): MemberTexts => ({
  [path]: text,
  [`${path}.amount`]: "With all its digits.",
  [`${path}.currency`]: "Currency code, ISO 4217.",
});

const sum = { name: "Money", text: "A sum of money." };

export const sellOrderRecord: RecordText = {
  title: "SellOrder",
  text: "An off-ramp order of a partner.",
  shape: sellOrderDocument,
  types: {
    status: { name: "SellOrderStatus", text: "Where a sell order is on its way." },
    fail_reason: { name: "FailReason", text: "Why a sell order failed." },
    fiat: sum,
    crypto: { name: "CryptoAmount", text: "An amount of a crypto-asset." },
    fees: { name: "SellOrderFees", text: "The fees of a sell order." },
    "fees.ramp_fee": sum,
    "fees.partner_fee": sum,
    fees_partner_currency: {
      name: "PartnerCurrencyFees",
      text: "The fees of a sell order in the partner's currency.",
    },
    "fees_partner_currency.ramp_fee": sum,
    "fees_partner_currency.partner_fee": sum,
  },
  texts: {
    id: {
      text: "The `orderId` that the partner gave when the sell session was created, in the partner's own spelling.",
      ...orderIdKeywords,
    },
    ...money("fiat", "What the customer is paid; an estimate until `status` is `COMPLETED`."),
    crypto: "What the customer sells.",
    "crypto.amount": "With all its digits.",
    "crypto.currencyId":
      "ID of the currency, as the ramp's own `/config` and `/sell-config` list it; neither is part of this service.",
    fees: "Fees of the order; estimates until `status` is `COMPLETED`.",
    ...money("fees.ramp_fee", "The ramp's fee, without the partner's."),
    ...money("fees.partner_fee", "The partner's fee. Absent when there is none."),
    exchange_rate:
      "Price of one unit of crypto in the fiat currency; an estimate until `status` is `COMPLETED`.",
    payment: `How the customer is paid. A deployment may have a word of its own in place of \`${contractBrand.ownAccount}\`.`,
    created_at: "When the order was created, in UTC.",
    updated_at: "When the order last changed, in UTC.",
    status:
      "Where the order is on its way: `AWAITING_DEPOSIT`, until the customer's crypto is there; `PROCESSING`, from then on; `COMPLETED`, once the customer was paid; `FAILED`. The last two are final; a failed order may change its reason.",
    fail_reason:
      "Why the order failed. Present only when `status` is `FAILED`. `EXPIRED`: the deposit did not come in time. `REFUNDED`: the customer has the crypto back. `CREDITED_AS_CRYPTO`: the price moved too far, and the customer was credited the crypto. `FAILED`: anything else.",
    wallet: "Address from which the customer sends the crypto.",
    transaction_hash: "Hash of the deposit on the blockchain. Absent until a deposit was seen.",
    fees_partner_currency:
      "Fees in the partner's currency. Always present; `{}` when there is no exchange rate for it.",
    ...money("fees_partner_currency.ramp_fee", "The ramp's fee."),
    ...money("fees_partner_currency.partner_fee", "The partner's fee."),
  },
};
