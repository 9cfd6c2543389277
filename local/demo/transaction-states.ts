import type { TransactionState, TransactionType } from "../../lib/transactions/transaction-kinds.ts";
import { drawInteger, drawOne } from "./draw.ts";

/** When a transaction happened, and what it says about how it ended. Instants are epoch milliseconds. */
export interface DemoCourse {
  readonly state: TransactionState;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly completedMs?: number;
  readonly reasonCode?: string;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

const DECLINE_REASONS = ["insufficient_balance", "unknown_receiver_account", "limit_exceeded"] as const;
const FAILURE_REASONS = ["blocked_by_screening", "receiver_bank_unavailable", "duplicate_request"] as const;

/** How long a transaction takes to complete: a card payment settles within a day, anything else within minutes. */
function settlementMs(label: string, type: TransactionType): number {
  const isCard = type === "atm" || type.startsWith("card_");
  const [low, high] = isCard ? [6 * HOUR_MS, 24 * HOUR_MS] : [400, 40 * 60 * SECOND_MS];
  return drawInteger(`${label}/settlement`, low, high);
}

/** The course of a transaction that was created at an instant and has come to a state. */
export function courseOf(
  label: string,
  type: TransactionType,
  state: TransactionState,
  createdMs: number,
): DemoCourse {
  const settledMs = createdMs + settlementMs(label, type);
  const soonMs = createdMs + drawInteger(`${label}/soon`, 300, 90 * SECOND_MS);
  const courses: Readonly<Record<TransactionState, Omit<DemoCourse, "state" | "createdMs">>> = {
    created: { updatedMs: createdMs },
    pending: { updatedMs: soonMs },
    completed: { updatedMs: settledMs, completedMs: settledMs },
    declined: { updatedMs: soonMs, reasonCode: drawOne(`${label}/reason`, DECLINE_REASONS) },
    failed: { updatedMs: soonMs, reasonCode: drawOne(`${label}/reason`, FAILURE_REASONS) },
    reverted: revertedCourse(label, settledMs),
  };
  return { state, createdMs, ...courses[state] };
}

/** Half of the reverted ones had been completed, and keep saying when. */
function revertedCourse(label: string, settledMs: number): Omit<DemoCourse, "state" | "createdMs"> {
  const updatedMs = settledMs + drawInteger(`${label}/reversal`, HOUR_MS, 48 * HOUR_MS);
  const wasCompleted = drawInteger(`${label}/was-completed`, 0, 1) === 1;
  return { updatedMs, ...(wasCompleted && { completedMs: settledMs }) };
}
