import {
  type TransactionState,
  type TransactionType,
  transactionStates,
  transactionTypes,
} from "../../lib/transactions/transaction-kinds.ts";
import { type DemoBusiness, printer, roaster } from "./businesses.ts";
import { drawInteger, drawUuid } from "./draw.ts";
import { shapeFollowing } from "./following-shape.ts";
import { shapes } from "./own-shapes.ts";
import {
  type DemoShape,
  type FollowingType,
  type OwnType,
  originTypes,
  type TransferKind,
} from "./transaction-shape.ts";

/** One transaction that the demo will hold. Everything about it follows from its label and the anchor day. */
export interface PlannedTransaction {
  readonly label: string;
  readonly business: DemoBusiness;
  readonly shape: DemoShape;
  readonly state: TransactionState;
  /** Whole days between the day it was created on and the anchor. */
  readonly daysBefore: number;
  readonly relatedId?: string;
  readonly requestId?: string;
}

const id = (label: string): string => drawUuid(`transaction/${label}`);

/** The label of the one transaction of a type that is in a state and was planned to show just that. */
export const specimenLabel = (type: TransactionType, state: TransactionState): string => `${type}/${state}`;

/** The id of a planned transaction. */
export const demoTransactionId = id;

const RETRIED_REQUEST_ID = drawUuid("request/retried");

const isFollowing = (type: TransactionType): type is FollowingType => Object.hasOwn(originTypes, type);

function planOwn(
  business: DemoBusiness,
  label: string,
  kind: OwnType | TransferKind,
  state: TransactionState,
  daysBefore: number,
): PlannedTransaction {
  const shape = shapes[kind](business, label);
  return {
    label,
    business,
    shape,
    state,
    daysBefore,
    ...(shape.isRequested && { requestId: drawUuid(`request/${label}`) }),
  };
}

/** What follows comes with what it follows: a completed transaction some days earlier. */
function planFollowing(
  label: string,
  type: FollowingType,
  state: TransactionState,
  daysBefore: number,
): PlannedTransaction[] {
  const originDays = daysBefore + drawInteger(`${label}/origin-days`, 3, 9);
  const origin = planOwn(roaster, `${label}/origin`, originTypes[type], "completed", originDays);
  const shape = shapeFollowing(type, origin.shape);
  return [origin, { label, business: roaster, shape, state, daysBefore, relatedId: id(origin.label) }];
}

/**
 * How long ago a specimen was created. What is still open is recent; the completed transfer is the one that the
 * printed lines ask for, so it is of the last day; the rest lies across the past weeks.
 */
function specimenDays(type: TransactionType, state: TransactionState): number {
  if (type === "transfer" && state === "completed") return 1;
  if (state === "created" || state === "pending")
    return drawInteger(`${specimenLabel(type, state)}/days`, 1, 4);
  return drawInteger(`${specimenLabel(type, state)}/days`, 6, 78);
}

/**
 * Each type in each state. None of the 96 pairs is left out: even an ATM withdrawal is `created` before the network has
 * answered, and an exchange is `pending` while its market is closed. What cannot be pending is a transfer within the
 * service, so the pending transfer goes to a supplier elsewhere.
 */
function planSpecimens(): PlannedTransaction[] {
  return transactionTypes.flatMap((type) =>
    transactionStates.flatMap((state) => {
      const label = specimenLabel(type, state);
      const days = specimenDays(type, state);
      return isFollowing(type)
        ? planFollowing(label, type, state, days)
        : [planOwn(roaster, label, type, state, days)];
    }),
  );
}

/** How many completed transactions of each kind an ordinary quarter has. */
const QUARTER = [
  ["card_payment", 72],
  ["topup", 26],
  ["transfer", 22],
  ["neighbour_transfer", 12],
  ["own_transfer", 8],
  ["exchange", 6],
  ["atm", 4],
  ["fee", 3],
  ["charge", 3],
  ["tax", 1],
  ["loan", 1],
] as const satisfies readonly (readonly [OwnType | TransferKind, number])[];

const PRINTER_KINDS = [
  "topup",
  "card_payment",
  "card_payment",
  "transfer",
  "own_transfer",
  "neighbour_transfer",
  "exchange",
  "fee",
] as const;

function planQuarter(): PlannedTransaction[] {
  return QUARTER.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => {
      const label = `quarter/${kind}/${index}`;
      return planOwn(roaster, label, kind, "completed", drawInteger(`${label}/days`, 2, 88));
    }),
  );
}

/** A payment that failed and was sent again under the same request id: the lookup by request id means the newer one. */
function planRetry(): PlannedTransaction[] {
  const attempt = (label: string, state: TransactionState, daysBefore: number): PlannedTransaction => {
    const shape = shapes.transfer(roaster, "retry");
    return { label, business: roaster, shape, state, daysBefore, requestId: RETRIED_REQUEST_ID };
  };
  return [attempt("retry/first", "failed", 5), attempt("retry/second", "completed", 3)];
}

/** Every transaction of the demo, in no order. */
export function planTransactions(): PlannedTransaction[] {
  const others = PRINTER_KINDS.map((kind, index) =>
    planOwn(printer, `printer/${index}`, kind, "completed", 3 + 9 * index),
  );
  return [...planSpecimens(), ...planQuarter(), ...planRetry(), ...others];
}
