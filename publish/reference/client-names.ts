/** The names of the client's types, and what each type is. */
export interface TypeName {
  readonly name: string;
  readonly text: string;
}

const money: TypeName = { name: "Money", text: "A sum of money." };

/** Objects within a record that have a type of their own in the client, by their path. */
export const objectNames: Readonly<Record<string, TypeName>> = {
  "Transaction.merchant": { name: "Merchant", text: "A merchant, as the card network names it." },
  "Transaction.legs[]": { name: "Leg", text: "What a transaction does to one account." },
  "Transaction.legs[].counterparty": { name: "Counterparty", text: "The other side of a leg." },
  "Transaction.card": { name: "Card", text: "The card of a card transaction." },
  "Transaction.card.references[]": { name: "CardReference", text: "A reference of a card." },
  "TradePage.data[]": { name: "Trade", text: "A trade of a market." },
  "TradePage.metadata": { name: "TradePageMetadata", text: "What is said of a page of trades." },
  "SellOrder.fiat": money,
  "SellOrder.crypto": { name: "CryptoAmount", text: "An amount of a crypto-asset." },
  "SellOrder.fees": { name: "SellOrderFees", text: "The fees of a sell order." },
  "SellOrder.fees.ramp_fee": money,
  "SellOrder.fees.partner_fee": money,
  "SellOrder.fees_partner_currency": {
    name: "PartnerCurrencyFees",
    text: "The fees of a sell order in the partner's currency.",
  },
  "SellOrder.fees_partner_currency.ramp_fee": money,
  "SellOrder.fees_partner_currency.partner_fee": money,
};

/** Lists of words that have a type of their own in the client, by the path of their member. */
export const wordNames: Readonly<Record<string, TypeName>> = {
  "Transaction.type": { name: "TransactionType", text: "What kind of transaction it is." },
  "Transaction.state": { name: "TransactionState", text: "Where a transaction is on its way." },
  "TradePage.data[].s": { name: "Side", text: "What the side that took the offer did." },
  "SellOrder.status": { name: "SellOrderStatus", text: "Where a sell order is on its way." },
  "SellOrder.fail_reason": { name: "FailReason", text: "Why a sell order failed." },
  "Error.code": { name: "ServiceCode", text: "The codes of the service's own errors." },
};

/** What each record of the client is, by the name of its schema. */
export const recordTexts: Readonly<Record<string, string>> = {
  Transaction: "A transaction of a business.",
  Pass: "The latest state of a wallet pass.",
  TradePage: "A page of a market's trades.",
  SellOrder: "An off-ramp order of a partner.",
  Error: "The body of every error that the service answers.",
};
