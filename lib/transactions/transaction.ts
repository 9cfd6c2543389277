import type { Brand } from "../brand.ts";
import { type Checked, notOk } from "../checked.ts";
import { LoggableError } from "../errors.ts";
import { isOwnerId, OWNER_ID_RULE } from "../id.ts";
import { microsKey, parseInstant } from "../instant.ts";
import { checkDocument, servedText } from "../json/check-document.ts";
import { type TransactionDocument, transactionDocument } from "./transaction-document.ts";
import type { TransactionState, TransactionType } from "./transaction-kinds.ts";
import { transactionViolation } from "./transaction-rules.ts";

/** A checked transaction as it is stored: the text that readers get, and the attributes that find and order it. */
export interface TransactionRecord {
  readonly businessId: string;
  readonly id: string;
  readonly requestId: string | undefined;
  readonly type: TransactionType;
  readonly state: TransactionState;
  /** Instants in 18 digits of microseconds since 1970, UTC. */
  readonly createdMicros: string;
  readonly updatedMicros: string;
  /** The accounts of its legs, each once. */
  readonly accounts: readonly string[];
  /** Canonical text, as it will be served. */
  readonly doc: string;
}

/** Checks one JSON text against the contract and its rules, and returns the record to be stored. */
export function checkTransaction(brand: Brand, businessId: string, text: string): Checked<TransactionRecord> {
  if (!isOwnerId(businessId)) return notOk(`the business must be named by ${OWNER_ID_RULE}`);
  const checked = checkDocument(transactionDocument, text);
  if (!checked.ok) return checked;
  const violation = transactionViolation(checked.value, brand);
  if (violation !== undefined) return notOk(violation);
  const doc = servedText(checked.value);
  return doc.ok ? { ok: true, value: recordOf(businessId, checked.value, doc.value) } : doc;
}

const recordOf = (businessId: string, transaction: TransactionDocument, doc: string): TransactionRecord => ({
  businessId,
  id: transaction.id,
  requestId: transaction.request_id,
  type: transaction.type,
  state: transaction.state,
  createdMicros: microsOf(transaction.created_at),
  updatedMicros: microsOf(transaction.updated_at),
  accounts: [...new Set(transaction.legs.map((leg) => leg.account_id))],
  doc,
});

/** Microseconds of a member that the shape has checked as an instant. */
function microsOf(text: string): string {
  const instant = parseInstant(text);
  if (instant === undefined) throw new LoggableError("A checked instant must parse.");
  return microsKey(instant);
}
