import * as z from "zod/mini";
import {
  amount,
  currency,
  dateOrInstant,
  foreignId,
  id,
  instant,
  lengthCheck,
  text,
} from "../json/members.ts";
import { object, optional, withoutIdle } from "../json/object-members.ts";
import { transactionStates, transactionTypes } from "./transaction-kinds.ts";

/*
 * The shape of a transaction as the business accounts contract lists it, members in its order: the order in which they
 * are served.
 */

const merchant = object({
  // Card networks assign these ids, by rules of their own.
  id: optional(text),
  name: optional(text),
  city: optional(text),
  category_code: optional(text),
  // Two or three letters as a rule, and whatever the network sends: a payment is not refused for it.
  country: optional(text),
});

const counterparty = object({
  account_id: optional(foreignId),
  // The rules check this word, because it depends on the brand.
  account_type: text,
  id: optional(foreignId),
});

const leg = object({
  leg_id: foreignId,
  amount,
  fee: optional(amount),
  currency,
  bill_amount: optional(amount),
  bill_currency: optional(currency),
  account_id: id,
  counterparty: optional(counterparty),
  description: optional(text),
  balance: optional(amount),
});

const reference = object({ name: text, value: text });

const card = object({
  id: optional(foreignId),
  card_number: optional(text),
  first_name: optional(text),
  last_name: optional(text),
  phone: optional(
    z.string().check(z.regex(/^\+[1-9]\d{1,14}$/, "must be a phone number of E.164, such as +441632960000")),
  ),
  references: optional(z.array(reference)),
});

/** A transaction document. `transactionViolation` has the rules beyond its shape. */
export const transactionDocument = withoutIdle(
  { member: "reason_code", beside: "state", values: ["declined", "failed"] },
  object({
    id,
    type: z.enum(transactionTypes),
    request_id: optional(foreignId),
    state: z.enum(transactionStates),
    reason_code: optional(text),
    created_at: instant,
    updated_at: instant,
    completed_at: optional(instant),
    scheduled_for: optional(dateOrInstant),
    related_transaction_id: optional(id),
    merchant: optional(merchant),
    reference: optional(text),
    legs: z
      .array(leg)
      .check(
        lengthCheck(z.minLength(1, "must have one leg, or two between own accounts")),
        lengthCheck(z.maxLength(2, "must have one leg, or two between own accounts")),
      ),
    card: optional(card),
  }),
);

export type TransactionDocument = z.infer<typeof transactionDocument>;
