import type { Brand } from "../../lib/brand.ts";
import { writeExactJson } from "../../lib/json/exact-json.ts";
import { amountOf } from "./amount.ts";
import type { DemoBusiness } from "./businesses.ts";
import { drawInteger, drawUuid } from "./draw.ts";
import { demoTransactionId, type PlannedTransaction, planTransactions } from "./transaction-plan.ts";
import type { DemoLeg } from "./transaction-shape.ts";
import { courseOf, type DemoCourse } from "./transaction-states.ts";

const DAY_MS = 86_400_000;
const OPENING_HOUR_MS = 7 * 3_600_000;
const CLOSING_HOUR_MS = 19 * 3_600_000;

/** A transaction as it is handed to the writer. */
export interface DemoTransaction {
  readonly businessId: string;
  readonly id: string;
  readonly label: string;
  readonly createdMs: number;
  readonly requestId: string | undefined;
  /** The document: JSON in the contract's shape. */
  readonly text: string;
}

interface DatedTransaction {
  readonly planned: PlannedTransaction;
  readonly course: DemoCourse;
}

/**
 * Every transaction of the demo, oldest first. Ids, amounts, parties and times of day never change; the days are
 * counted back from the anchor, a midnight (epoch milliseconds, UTC), and nothing but a schedule lies after it.
 */
export function demoTransactions(anchorMs: number, brand: Brand): DemoTransaction[] {
  const balances = new Map<string, number>();
  return planTransactions()
    .map((planned) => dated(planned, anchorMs))
    .sort((one, other) => one.course.createdMs - other.course.createdMs)
    .map(({ planned, course }) => ({
      businessId: planned.business.id,
      id: demoTransactionId(planned.label),
      label: planned.label,
      createdMs: course.createdMs,
      requestId: planned.requestId,
      text: writeExactJson(documentOf({ planned, course }, { anchorMs, brand, balances })),
    }));
}

function dated(planned: PlannedTransaction, anchorMs: number): DatedTransaction {
  const { label, shape, state, daysBefore } = planned;
  const timeOfDayMs = drawInteger(`${label}/time`, OPENING_HOUR_MS, CLOSING_HOUR_MS);
  return {
    planned,
    course: courseOf(label, shape.type, state, anchorMs - daysBefore * DAY_MS + timeOfDayMs),
  };
}

interface Book {
  readonly anchorMs: number;
  readonly brand: Brand;
  /** Balance of each account after the transactions so far, in minor units. */
  readonly balances: Map<string, number>;
}

const isoOf = (instantMs: number): string => new Date(instantMs).toISOString();

/** The members are in the contract's order; those without a value leave no trace. */
function documentOf({ planned, course }: DatedTransaction, book: Book): object {
  const { shape, label, requestId, relatedId } = planned;
  return {
    id: demoTransactionId(label),
    type: shape.type,
    request_id: requestId,
    state: course.state,
    reason_code: course.reasonCode,
    created_at: isoOf(course.createdMs),
    updated_at: isoOf(course.updatedMs),
    completed_at: course.completedMs === undefined ? undefined : isoOf(course.completedMs),
    scheduled_for: scheduledFor(planned, book.anchorMs),
    related_transaction_id: relatedId,
    merchant: shape.merchant,
    reference: shape.reference,
    legs: shape.legs.map((leg, index) => legOf(leg, `${label}/${index}`, course, planned.business, book)),
    card: shape.card,
  };
}

/** A payment that a client asked for and that has not begun waits for its day. */
function scheduledFor({ shape, state, label }: PlannedTransaction, anchorMs: number): string | undefined {
  if (state !== "created" || !shape.isRequested) return undefined;
  return isoOf(anchorMs + drawInteger(`${label}/scheduled`, 3, 20) * DAY_MS).slice(0, 10);
}

function legOf(leg: DemoLeg, label: string, course: DemoCourse, business: DemoBusiness, book: Book): object {
  return {
    leg_id: drawUuid(`leg/${label}`),
    amount: amountOf(leg.amountMinor),
    fee: leg.feeMinor === undefined ? undefined : amountOf(leg.feeMinor),
    currency: leg.account.currency,
    bill_amount: leg.bill && amountOf(leg.bill.amountMinor),
    bill_currency: leg.bill?.currency,
    account_id: leg.account.id,
    counterparty: leg.counterparty && {
      id: leg.counterparty.id,
      account_id: leg.counterparty.accountId,
      account_type: leg.counterparty.kind === "neighbour" ? book.brand.ownAccount : leg.counterparty.kind,
    },
    description: leg.description,
    balance: course.state === "completed" ? amountOf(settle(leg, business, book)) : undefined,
  };
}

/** Only what completed and stayed so moves a balance. @returns the account's balance after it. */
function settle(leg: DemoLeg, business: DemoBusiness, { balances }: Book): number {
  const { id, openingMinor } = leg.account;
  const before = balances.get(id) ?? openingMinor;
  const after = before + leg.amountMinor - (leg.feeMinor ?? 0);
  if (after < 0) throw new Error(`The demo's ${business.id} overdraws an account.`);
  balances.set(id, after);
  return after;
}
