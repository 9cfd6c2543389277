import type { Brand } from "../brand.ts";
import { type Checked, notOk } from "../checked.ts";
import { LoggableError } from "../errors.ts";
import { isOwnerId, OWNER_ID_RULE } from "../id.ts";
import { microsKey, parseInstant } from "../instant.ts";
import { checkDocument, servedText } from "../json/check-document.ts";
import { normaliseOrderId } from "./order-id.ts";
import { type SellOrderDocument, sellOrderDocument } from "./sell-order-document.ts";
import { type SellOrderState, stateOf } from "./sell-order-kinds.ts";
import { sellOrderOddity, sellOrderViolation } from "./sell-order-rules.ts";

/** A checked sell order as it is stored: the text that readers get, and the attributes that find and order it. */
export interface SellOrderRecord {
  readonly partnerId: string;
  /** The order's id in the spelling under which it is kept. */
  readonly orderId: string;
  /** The order's id in the spelling of this document. */
  readonly givenId: string;
  readonly state: SellOrderState;
  /** An oddity of the order by itself; undefined when there is none. */
  readonly oddity: string | undefined;
  /** Instants in 18 digits of microseconds since 1970, UTC. */
  readonly createdMicros: string;
  readonly updatedMicros: string;
  /** Canonical text, as it will be served; `id` is its first member. */
  readonly doc: string;
}

/** Checks one JSON text against the contract and its rules, and returns the record to be stored. */
export function checkSellOrder(brand: Brand, partnerId: string, text: string): Checked<SellOrderRecord> {
  if (!isOwnerId(partnerId)) return notOk(`the partner must be named by ${OWNER_ID_RULE}`);
  const checked = checkDocument(sellOrderDocument, text);
  if (!checked.ok) return checked;
  const violation = sellOrderViolation(checked.value, brand);
  if (violation !== undefined) return notOk(violation);
  const doc = servedText(checked.value);
  return doc.ok ? { ok: true, value: recordOf(partnerId, checked.value, doc.value) } : doc;
}

const recordOf = (partnerId: string, order: SellOrderDocument, doc: string): SellOrderRecord => ({
  partnerId,
  orderId: mustBe(normaliseOrderId(order.id)),
  givenId: order.id,
  state: stateOf(order.status, order.fail_reason, order.transaction_hash !== undefined),
  oddity: sellOrderOddity(order),
  createdMicros: microsKey(mustBe(parseInstant(order.created_at))),
  updatedMicros: microsKey(mustBe(parseInstant(order.updated_at))),
  doc,
});

/** Unwraps a value that the shape has already checked. */
function mustBe<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new LoggableError("A checked member must parse.");
  return value;
}
