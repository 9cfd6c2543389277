import type { Lifecycle } from "../lifecycle.ts";

/** Every `status` of the ramp contract. */
export const sellOrderStatuses = ["AWAITING_DEPOSIT", "PROCESSING", "COMPLETED", "FAILED"] as const;

export type SellOrderStatus = (typeof sellOrderStatuses)[number];

/** Every `fail_reason` of the ramp contract. */
export const failReasons = ["EXPIRED", "REFUNDED", "FAILED", "CREDITED_AS_CRYPTO"] as const;

export type FailReason = (typeof failReasons)[number];

/**
 * The status, with two more distinctions: an awaited deposit that has been seen, and a failure because no deposit came
 * in time, which a late deposit may still follow.
 */
export type SellOrderState = SellOrderStatus | "AWAITING_DEPOSIT (SEEN)" | "FAILED (EXPIRED)";

export function stateOf(
  status: SellOrderStatus,
  failReason: FailReason | undefined,
  hasDeposit: boolean,
): SellOrderState {
  if (status === "AWAITING_DEPOSIT" && hasDeposit) return "AWAITING_DEPOSIT (SEEN)";
  return status === "FAILED" && failReason === "EXPIRED" ? "FAILED (EXPIRED)" : status;
}

/**
 * How an order usually proceeds. Completed and failed are final. Only the reason of a failed order changes, as when a
 * deposit comes after all and is refunded. A deposit that was seen may be too small, or too late.
 */
export const sellOrderLifecycle: Lifecycle<SellOrderState> = {
  rank: {
    AWAITING_DEPOSIT: 0,
    "AWAITING_DEPOSIT (SEEN)": 1,
    PROCESSING: 2,
    "FAILED (EXPIRED)": 3,
    COMPLETED: 4,
    FAILED: 4,
  },
  reaches: {
    AWAITING_DEPOSIT: ["AWAITING_DEPOSIT (SEEN)", "PROCESSING", "COMPLETED", "FAILED", "FAILED (EXPIRED)"],
    "AWAITING_DEPOSIT (SEEN)": ["PROCESSING", "COMPLETED", "FAILED", "FAILED (EXPIRED)"],
    PROCESSING: ["COMPLETED", "FAILED"],
    "FAILED (EXPIRED)": ["FAILED"],
    COMPLETED: [],
    FAILED: [],
  },
};
