// Written by `npm run write -- reference` from the contracts of the endpoints. Do not edit it: a test fails when it differs.

import type { Decimal } from "./decimal.ts";
import type { JsonValue } from "./exact-json.ts";
import type { Shape } from "./shape.ts";

/** What kind of transaction it is. */
export type TransactionType =
  | "atm"
  | "card_payment"
  | "card_refund"
  | "card_chargeback"
  | "card_credit"
  | "charge"
  | "charge_refund"
  | "exchange"
  | "transfer"
  | "loan"
  | "fee"
  | "refund"
  | "topup"
  | "topup_return"
  | "tax"
  | "tax_refund";

/** Where a transaction is on its way. */
export type TransactionState =
  | "created"
  | "pending"
  | "completed"
  | "declined"
  | "failed"
  | "reverted";

/** A merchant, as the card network names it. */
export interface Merchant {
  /** ID that the card network gave the merchant. */
  readonly id?: string;
  /** Name of the merchant. */
  readonly name?: string;
  /** City of the merchant. */
  readonly city?: string;
  /** Category code of the merchant. */
  readonly category_code?: string;
  /** Country of the merchant's bank, ISO 3166: three letters as a rule, or whatever else the card network sent, such as two. */
  readonly country?: string;
}

/** The other side of a leg. */
export interface Counterparty {
  /** ID of the other side's account. */
  readonly account_id?: string;
  /** `self` is an account of the client, `service` another account of this service, and `external` any other. A deployment may have a word of its own in place of `service`. */
  readonly account_type: string;
  /** ID of the other side. */
  readonly id?: string;
}

/** What a transaction does to one account. */
export interface Leg {
  /** ID of the leg. */
  readonly leg_id: string;
  /** Amount in `currency`, with exactly the digits that were booked. Negative when money leaves the account. */
  readonly amount: Decimal;
  /** Fee in `currency`. Ask the operator whether `amount` contains it; in the records of `npm start` it does not. */
  readonly fee?: Decimal;
  /** Currency code, ISO 4217. */
  readonly currency: string;
  /** Amount in `bill_currency`, for payments across currencies. */
  readonly bill_amount?: Decimal;
  /** Currency code of the billing amount, ISO 4217. */
  readonly bill_currency?: string;
  /** ID of the account that the leg is on. `account` of the list compares with it. */
  readonly account_id: string;
  /** The other side. */
  readonly counterparty?: Counterparty;
  /** Purpose of the leg. */
  readonly description?: string;
  /** Balance of the account after the leg, in `currency`. Ask the operator for the order of balances. In the demo, balances follow the order of `created_at`: each is the one before plus `amount - fee`. So the account's opening balance follows from its oldest leg. Only legs of transactions that are or were `completed` have it. */
  readonly balance?: Decimal;
}

/** A reference of a card. */
export interface CardReference {
  /** Name of the reference; unique within the card. */
  readonly name: string;
  /** Value of the reference. */
  readonly value: string;
}

/** The card of a card transaction. */
export interface Card {
  /** ID of the card. */
  readonly id?: string;
  /** Masked card number: at most its first 8 and last 4 digits. */
  readonly card_number?: string;
  /** First name of the cardholder. */
  readonly first_name?: string;
  /** Last name of the cardholder. */
  readonly last_name?: string;
  /** Phone number of the cardholder, E.164. */
  readonly phone?: string;
  /** References that the card had at the time of the transaction. */
  readonly references?: readonly CardReference[];
}

/** A transaction of a business. */
export interface Transaction {
  /** ID of the transaction. */
  readonly id: string;
  /** What kind of transaction it is. */
  readonly type: TransactionType;
  /** The request ID that the client gave when the transaction was created. */
  readonly request_id?: string;
  /** Where the transaction is on its way. Treat a word that you do not know as not final. `declined`, `failed` and `reverted` are final; `completed` may still become `reverted`. Ask the operator how money comes back then. In the demo a `reverted` transaction has no `balance` and counts in none; only one that `demo advance` reverts keeps its own and counts on. No other transaction books it back. */
  readonly state: TransactionState;
  /** Why it did not succeed, in the operator's own words. Present only when `state` is `declined` or `failed`. */
  readonly reason_code?: string;
  /** When it was created. `from` and `to` of the list compare with it, to the microsecond. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
  /** When it was completed. Always present when `state` is `completed`; may stay when `state` is `reverted`. */
  readonly completed_at?: string;
  /** For when the payment is scheduled: a date, or a date and time. */
  readonly scheduled_for?: string;
  /** ID of the transaction that this one relates to, such as the one being refunded. */
  readonly related_transaction_id?: string;
  /** The merchant. Present only when `type` is `atm`, `card_payment`, `card_refund`, `card_chargeback` or `card_credit`. */
  readonly merchant?: Merchant;
  /** The payment reference. */
  readonly reference?: string;
  /** One leg, or two where both accounts are the client's own. The two legs of an `exchange` are in two currencies. */
  readonly legs: readonly Leg[];
  /** The card of a card transaction. */
  readonly card?: Card;
}

/** The latest state of a wallet pass. */
export interface Pass {
  /** The partner's own reference of the pass, without a prefix. */
  readonly partner_reference: string;
  /** Type of the pass, such as `boarding_pass`, `event_pass` or `loyalty_pass`. Others are served alike. */
  readonly type: string;
  /** Grows with every change. */
  readonly version: number;
  /** What the pass is about. Its members are the partner's own. */
  readonly semantics?: Readonly<Record<string, JsonValue>>;
  /** When the pass matters, such as the time of boarding. */
  readonly relevant_at?: string;
  /** What the customer can do. The members of each action are the partner's own. */
  readonly actions?: readonly Readonly<Record<string, JsonValue>>[];
  /** When to show the pass. The members of each trigger are the partner's own. */
  readonly triggers?: readonly Readonly<Record<string, JsonValue>>[];
}

/** What the side that took the offer did. */
export type Side =
  | "buy"
  | "sell";

/** A trade of a market. */
export interface Trade {
  /** When the trade was made, Unix epoch milliseconds. */
  readonly tdt: number;
  /** ID code of the crypto-asset. */
  readonly aid: string;
  /** Full name of the crypto-asset. */
  readonly anm: string;
  /** Price of one unit, in major units of `pc`. A string of plain digits, 38 at most, that keeps its zeros. */
  readonly p: Decimal;
  /** Currency of the price. */
  readonly pc: string;
  /** Notation of the price: `MONE`, a sum of money. */
  readonly pn: string;
  /** Quantity, in units of `qc`. A string of plain digits, 38 at most, that keeps its zeros. */
  readonly q: Decimal;
  /** Currency of the quantity. */
  readonly qc: string;
  /** Notation of the quantity: `UNIT`, a count of units. */
  readonly qn: string;
  /** Venue of execution, the same for every trade. */
  readonly ve: string;
  /** When the trade was published, Unix epoch milliseconds. */
  readonly pdt: number;
  /** Venue of publication, the same for every trade. */
  readonly vp: string;
  /** ID of the trade, 32 lower-case hex digits. */
  readonly tid: string;
  /** Whether the taker, whose order met one that was waiting, bought or sold. Absent when it is not known. */
  readonly s?: Side;
}

/** What is said of a page of trades. */
export interface TradePageMetadata {
  /** The server's clock when it answered, Unix epoch milliseconds. */
  readonly timestamp: number;
  /** The `cursor` of the next page, opaque. Present while there is more. */
  readonly next_cursor?: string;
}

/** A page of a market's trades. */
export interface TradePage {
  /** Trades of the window, newest first. */
  readonly data: readonly Trade[];
  /** What is said of the page. */
  readonly metadata: TradePageMetadata;
}

/** A sum of money. */
export interface Money {
  /** With all its digits. */
  readonly amount: Decimal;
  /** Currency code, ISO 4217. */
  readonly currency: string;
}

/** An amount of a crypto-asset. */
export interface CryptoAmount {
  /** With all its digits. */
  readonly amount: Decimal;
  /** ID of the currency, as the ramp's own `/config` and `/sell-config` list it; neither is part of this service. */
  readonly currencyId: string;
}

/** The fees of a sell order. */
export interface SellOrderFees {
  /** The ramp's fee, without the partner's. */
  readonly ramp_fee: Money;
  /** The partner's fee. Absent when there is none. */
  readonly partner_fee?: Money;
}

/** Where a sell order is on its way. */
export type SellOrderStatus =
  | "AWAITING_DEPOSIT"
  | "PROCESSING"
  | "COMPLETED"
  | "FAILED";

/** Why a sell order failed. */
export type FailReason =
  | "EXPIRED"
  | "REFUNDED"
  | "FAILED"
  | "CREDITED_AS_CRYPTO";

/** The fees of a sell order in the partner's currency. */
export interface PartnerCurrencyFees {
  /** The ramp's fee. */
  readonly ramp_fee?: Money;
  /** The partner's fee. */
  readonly partner_fee?: Money;
}

/** An off-ramp order of a partner. */
export interface SellOrder {
  /** The `orderId` that the partner gave when the sell session was created, in the partner's own spelling. */
  readonly id: string;
  /** What the customer is paid; an estimate until `status` is `COMPLETED`. */
  readonly fiat: Money;
  /** What the customer sells. */
  readonly crypto: CryptoAmount;
  /** Fees of the order; estimates until `status` is `COMPLETED`. */
  readonly fees: SellOrderFees;
  /** Price of one unit of crypto in the fiat currency; an estimate until `status` is `COMPLETED`. */
  readonly exchange_rate: Decimal;
  /** How the customer is paid. A deployment may have a word of its own in place of `service`. */
  readonly payment: string;
  /** When the order was created, in UTC. */
  readonly created_at: string;
  /** When the order last changed, in UTC. */
  readonly updated_at: string;
  /** Where the order is on its way: `AWAITING_DEPOSIT`, until the customer's crypto is there; `PROCESSING`, from then on; `COMPLETED`, once the customer was paid; `FAILED`. The last two are final; a failed order may change its reason. */
  readonly status: SellOrderStatus;
  /** Why the order failed. Present only when `status` is `FAILED`. `EXPIRED`: the deposit did not come in time. `REFUNDED`: the customer has the crypto back. `CREDITED_AS_CRYPTO`: the price moved too far, and the customer was credited the crypto. `FAILED`: anything else. */
  readonly fail_reason?: FailReason;
  /** Address from which the customer sends the crypto. */
  readonly wallet?: string;
  /** Hash of the deposit on the blockchain. Absent until a deposit was seen. */
  readonly transaction_hash?: string;
  /** Fees in the partner's currency. Always present; `{}` when there is no exchange rate for it. */
  readonly fees_partner_currency: PartnerCurrencyFees;
}

/** The codes of the service's own errors. */
export type ServiceCode =
  | "validation_error"
  | "unsupported_version"
  | "invalid_cursor"
  | "unknown_symbol"
  | "invalid_credentials"
  | "insufficient_scope"
  | "not_found"
  | "timestamp_in_future"
  | "gone"
  | "rate_limited"
  | "internal_error"
  | "service_disabled"
  | "temporarily_unavailable";

/** The body of every error that the service answers. */
export interface ErrorBody {
  /** New for each answer; quote it when you report a problem. */
  readonly error_id: string;
  /** What a program should branch on. */
  readonly code: ServiceCode;
  /** For people; it names what was wrong and may be reworded. */
  readonly message: string;
  /** The server's clock when it answered, Unix epoch milliseconds. */
  readonly timestamp: number;
  /** Present on 429 and 503: how long to wait, always in milliseconds. `Retry-After` says the same in the unit of the interface. */
  readonly retry_after_ms?: number;
}

/** What is listed, by the names of the endpoint's own parameters. */
export interface TransactionQuery {
  /** Created at this instant or later. A date means 00:00 UTC. Without it the list goes back to the first record. Required with `request_id`: because clocks differ, take an instant some minutes before the payment was sent. */
  readonly from?: string | Date | undefined;
  /** Created before this instant; without it, before now. If both are given, `from` must not be later than `to`. With `request_id` a window has 14 days at most, so a `from` more than 14 days ago needs a `to`. Send the `+` of a zone as `%2B`. */
  readonly to?: string | Date | undefined;
  /** With a leg on this account. May be repeated up to 50 times; a transaction that matches any one value is listed. */
  readonly account?: readonly string[] | undefined;
  /** Of this type. May be repeated up to 50 times, as `account`. */
  readonly type?: readonly TransactionType[] | undefined;
  /** In this state. May be repeated up to 50 times, as `account`. */
  readonly state?: readonly TransactionState[] | undefined;
  /** Created under this request ID, of 1 to 128 characters: the one that was given when the payment was created, and not the header `Request-Id` of a read. Several transactions may have the same one, such as a failed attempt and its repetition: all of them are listed. */
  readonly request_id?: string | undefined;
  /** The most transactions of a page. */
  readonly count?: number | undefined;
}

/** The members of a {@link Transaction} that are checked. */
export const transactionShape: Shape = {
  id: "text",
  type: "text",
  "request_id?": "text",
  state: "text",
  "reason_code?": "text",
  created_at: "text",
  updated_at: "text",
  "completed_at?": "text",
  "scheduled_for?": "text",
  "related_transaction_id?": "text",
  "merchant?": {
    "id?": "text",
    "name?": "text",
    "city?": "text",
    "category_code?": "text",
    "country?": "text"
  },
  "reference?": "text",
  legs: [
    {
      leg_id: "text",
      amount: "decimal",
      "fee?": "decimal",
      currency: "text",
      "bill_amount?": "decimal",
      "bill_currency?": "text",
      account_id: "text",
      "counterparty?": {
        "account_id?": "text",
        account_type: "text",
        "id?": "text"
      },
      "description?": "text",
      "balance?": "decimal"
    }
  ],
  "card?": {
    "id?": "text",
    "card_number?": "text",
    "first_name?": "text",
    "last_name?": "text",
    "phone?": "text",
    "references?": [
      {
        name: "text",
        value: "text"
      }
    ]
  }
};

/** The members of a {@link Pass} that are checked. */
export const passShape: Shape = {
  partner_reference: "text",
  type: "text",
  version: "integer",
  "semantics?": "object",
  "relevant_at?": "text",
  "actions?": [
    "object"
  ],
  "triggers?": [
    "object"
  ]
};

/** The members of a {@link TradePage} that are checked. */
export const tradePageShape: Shape = {
  data: [
    {
      tdt: "integer",
      aid: "text",
      anm: "text",
      p: "text",
      pc: "text",
      pn: "text",
      q: "text",
      qc: "text",
      qn: "text",
      ve: "text",
      pdt: "integer",
      vp: "text",
      tid: "text",
      "s?": "text"
    }
  ],
  metadata: {
    timestamp: "integer",
    "next_cursor?": "text"
  }
};

/** The members of a {@link SellOrder} that are checked. */
export const sellOrderShape: Shape = {
  id: "text",
  fiat: {
    amount: "decimal",
    currency: "text"
  },
  crypto: {
    amount: "decimal",
    currencyId: "text"
  },
  fees: {
    ramp_fee: {
      amount: "decimal",
      currency: "text"
    },
    "partner_fee?": {
      amount: "decimal",
      currency: "text"
    }
  },
  exchange_rate: "decimal",
  payment: "text",
  created_at: "text",
  updated_at: "text",
  status: "text",
  "fail_reason?": "text",
  "wallet?": "text",
  "transaction_hash?": "text",
  fees_partner_currency: {
    "ramp_fee?": {
      amount: "decimal",
      currency: "text"
    },
    "partner_fee?": {
      amount: "decimal",
      currency: "text"
    }
  }
};

/** The members of a {@link ErrorBody} that are checked. */
export const errorBodyShape: Shape = {
  error_id: "text",
  code: "text",
  message: "text",
  timestamp: "integer",
  "retry_after_ms?": "integer"
};

/** The route of each endpoint, by the endpoint's name. */
export const routes = {
  "get-transaction": "/transaction/{id}",
  "list-transactions": "/transactions",
  "get-pass": "/passes/{partner_reference}",
  "list-trades": "/1.0/trades/all/{symbol}",
  "get-sell-order": "/sell-orders/{order_id}"
} as const;

/** Every {@link ServiceCode}. */
export const serviceCodes = [
  "validation_error",
  "unsupported_version",
  "invalid_cursor",
  "unknown_symbol",
  "invalid_credentials",
  "insufficient_scope",
  "not_found",
  "timestamp_in_future",
  "gone",
  "rate_limited",
  "internal_error",
  "service_disabled",
  "temporarily_unavailable"
] as const;

/** What the names of the exchange's headers begin with. */
export const defaultHeaderPrefix = "X-Svc-" as const;

/** The header that names the version of the pass contract. */
export const defaultVersionHeader = "Service-Api-Version" as const;

/** The latest version of the pass contract. */
export const latestPassVersion = "2026-07-01" as const;

/** The most trades of a page. */
export const PAGE_TRADES_MAX = 1900 as const;

/** The most transactions of a page. */
export const PAGE_TRANSACTIONS_MAX = 1000 as const;

/** The most days of a window of trades. Each costs a token a page. */
export const WINDOW_DAYS_MAX = 30 as const;

/** The place of each state on a transaction's way: of two versions of one instant, the later one has the higher. */
export const transactionRanks = {
  "created": 0,
  "pending": 1,
  "completed": 2,
  "declined": 2,
  "failed": 2,
  "reverted": 3
} as const;

/** Statuses that a sell order does not leave. */
export const finalSellOrderStatuses = [
  "COMPLETED",
  "FAILED"
] as const;

/** The name of an endpoint. */
export type EndpointName = keyof typeof routes;
