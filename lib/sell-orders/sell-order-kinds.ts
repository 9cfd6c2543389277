import type { Lifecycle } from "../lifecycle.ts";

/** Every `status` of the ramp contract. */
export const sellOrderStatuses = ["AWAITING_DEPOSIT", "PROCESSING", "COMPLETED", "FAILED"] as const;

export type SellOrderStatus = (typeof sellOrderStatuses)[number];

/** Every `fail_reason` of the ramp contract. */
export const failReasons = ["EXPIRED", "REFUNDED", "FAILED", "CREDITED_AS_CRYPTO"] as const;

export type FailReason = (typeof failReasons)[number];

/** The status; an order that failed because no deposit came stands apart, as none that had one can get there. */
export type SellOrderState = SellOrderStatus | "FAILED (EXPIRED)";

export const stateOf = (status: SellOrderStatus, failReason: FailReason | undefined): SellOrderState =>
  status === "FAILED" && failReason === "EXPIRED" ? "FAILED (EXPIRED)" : status;

/**
 * How an order proceeds. Completed and failed are final; of a failed one only the reason may change, as when a deposit
 * comes after all and is refunded.
 */
export const sellOrderLifecycle: Lifecycle<SellOrderState> = {
  rank: { AWAITING_DEPOSIT: 0, PROCESSING: 1, "FAILED (EXPIRED)": 2, COMPLETED: 3, FAILED: 3 },
  reaches: {
    AWAITING_DEPOSIT: ["PROCESSING", "COMPLETED", "FAILED", "FAILED (EXPIRED)"],
    PROCESSING: ["COMPLETED", "FAILED"],
    "FAILED (EXPIRED)": ["FAILED"],
    COMPLETED: [],
    FAILED: [],
  },
};
