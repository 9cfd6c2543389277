import { contractBrand } from "../../../lib/brand.ts";
import { transactionDocument } from "../../../lib/transactions/transaction-document.ts";
import type { RecordText } from "../json-schema.ts";

export const transactionRecord: RecordText = {
  title: "Transaction",
  text: "A transaction of a business.",
  shape: transactionDocument,
  telling: ["completed_at"],
  types: {
    type: { name: "TransactionType", text: "What kind of transaction it is." },
    state: { name: "TransactionState", text: "Where a transaction is on its way." },
    merchant: { name: "Merchant", text: "A merchant, as the card network names it." },
    "legs[]": { name: "Leg", text: "What a transaction does to one account." },
    "legs[].counterparty": { name: "Counterparty", text: "The other side of a leg." },
    card: { name: "Card", text: "The card of a card transaction." },
    "card.references[]": { name: "CardReference", text: "A reference of a card." },
  },
  texts: {
    id: "ID of the transaction.",
    type: "What kind of transaction it is.",
    request_id: "The request ID that the client gave when the transaction was created.",
    state:
      "Where the transaction is on its way. Treat a word that you do not know as not final. `declined`, `failed` and `reverted` are final; `completed` may still become `reverted`. Ask the operator how money comes back then. In the demo a `reverted` transaction has no `balance` and counts in none; only one that `demo advance` reverts keeps its own and counts on. No other transaction books it back.",
    reason_code:
      "Why it did not succeed, in the operator's own words. Present only when `state` is `declined` or `failed`.",
    created_at: "When it was created. `from` and `to` of the list compare with it, to the microsecond.",
    updated_at: "When it last changed.",
    completed_at:
      "When it was completed. Always present when `state` is `completed`; may stay when `state` is `reverted`.",
    scheduled_for: "For when the payment is scheduled: a date, or a date and time.",
    related_transaction_id: "ID of the transaction that this one relates to, such as the one being refunded.",
    merchant:
      "The merchant. Present only when `type` is `atm`, `card_payment`, `card_refund`, `card_chargeback` or `card_credit`.",
    "merchant.id": "ID that the card network gave the merchant.",
    "merchant.name": "Name of the merchant.",
    "merchant.city": "City of the merchant.",
    "merchant.category_code": "Category code of the merchant.",
    "merchant.country":
      "Country of the merchant's bank, ISO 3166: three letters as a rule, or whatever else the card network sent, such as two.",
    reference: "The payment reference.",
    legs: "One leg, or two where both accounts are the client's own. The two legs of an `exchange` are in two currencies.",
    "legs[].leg_id": "ID of the leg.",
    "legs[].amount":
      "Amount in `currency`, with exactly the digits that were booked. Negative when money leaves the account.",
    "legs[].fee":
      "Fee in `currency`. Ask the operator whether `amount` contains it; in the records of `npm start` it does not.",
    "legs[].currency": "Currency code, ISO 4217.",
    "legs[].bill_amount": "Amount in `bill_currency`, for payments across currencies.",
    "legs[].bill_currency": "Currency code of the billing amount, ISO 4217.",
    "legs[].account_id": "ID of the account that the leg is on. `account` of the list compares with it.",
    "legs[].counterparty": "The other side.",
    "legs[].counterparty.account_id": "ID of the other side's account.",
    "legs[].counterparty.account_type": {
      text: `\`self\` is an account of the client, \`${contractBrand.ownAccount}\` another account of this service, and \`external\` any other. A deployment may have a word of its own in place of \`${contractBrand.ownAccount}\`.`,
      examples: ["self", contractBrand.ownAccount, "external"],
    },
    "legs[].counterparty.id": "ID of the other side.",
    "legs[].description": "Purpose of the leg.",
    "legs[].balance":
      "Balance of the account after the leg, in `currency`. Ask the operator for the order of balances. In the demo, balances follow the order of `created_at`: each is the one before plus `amount - fee`. So the account's opening balance follows from its oldest leg. Only legs of transactions that are or were `completed` have it.",
    card: "The card of a card transaction.",
    "card.id": "ID of the card.",
    "card.card_number": "Masked card number: at most its first 8 and last 4 digits.",
    "card.first_name": "First name of the cardholder.",
    "card.last_name": "Last name of the cardholder.",
    "card.phone": "Phone number of the cardholder, E.164.",
    "card.references": "References that the card had at the time of the transaction.",
    "card.references[].name": "Name of the reference; unique within the card.",
    "card.references[].value": "Value of the reference.",
  },
};
