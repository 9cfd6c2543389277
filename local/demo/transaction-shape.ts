import type { TransactionType } from "../../lib/transactions/transaction-kinds.ts";
import type { DemoAccount, DemoCard, DemoMerchant } from "./businesses.ts";

/** The types of the contract that undo or follow an earlier transaction, and the type of that one. */
export const originTypes = {
  card_refund: "card_payment",
  card_chargeback: "card_payment",
  card_credit: "card_payment",
  charge_refund: "charge",
  refund: "transfer",
  topup_return: "topup",
  tax_refund: "tax",
} as const satisfies Partial<Record<TransactionType, TransactionType>>;

export type FollowingType = keyof typeof originTypes;

/** A type that stands for itself. Its `transfer` goes to a supplier elsewhere. */
export type OwnType = Exclude<TransactionType, FollowingType>;

/** Transfers of two other kinds: between own accounts, and to somebody else's account with the same service. */
export type TransferKind = "own_transfer" | "neighbour_transfer";

/** One leg in the making: what it moves, in minor units of its account's currency. */
export interface DemoLeg {
  readonly account: DemoAccount;
  readonly amountMinor: number;
  readonly feeMinor?: number;
  readonly bill?: { readonly amountMinor: number; readonly currency: string };
  readonly counterparty?: {
    readonly kind: "self" | "neighbour" | "external";
    readonly id?: string;
    readonly accountId: string;
  };
  readonly description: string;
}

/** What a transaction is about, whatever its state and time. */
export interface DemoShape {
  readonly type: TransactionType;
  readonly legs: readonly [DemoLeg] | readonly [DemoLeg, DemoLeg];
  readonly merchant?: DemoMerchant;
  readonly card?: DemoCard;
  readonly reference?: string;
  /** Whether a client asked for it, and so gave a request id and may have set a date for it. */
  readonly isRequested?: true;
}
