import * as z from "zod/mini";
import { amount, currency, text, utcInstant } from "../json/members.ts";
import { emptyObjectOr, object, optional, withoutIdle } from "../json/object-members.ts";
import { normaliseOrderId } from "./order-id.ts";
import { failReasons, sellOrderStatuses } from "./sell-order-kinds.ts";

/*
 * The shape of a sell order as the ramp contract lists it, members in its order: the order in which they are served.
 */

const money = object({ amount, currency });

/** A sell order document. `sellOrderViolation` has the rules beyond its shape. */
export const sellOrderDocument = withoutIdle(
  { member: "fail_reason", beside: "status", values: ["FAILED"] },
  object({
    // Optional in the contract, where the session may have none; but an order without an id could not be found.
    id: z.string().check(z.refine((id) => normaliseOrderId(id) !== undefined, "must be a UUID or a ULID")),
    fiat: money,
    crypto: object({ amount, currencyId: text }),
    fees: object({ ramp_fee: money, partner_fee: optional(money) }),
    exchange_rate: amount,
    // The rules check this word, because it depends on the brand.
    payment: text,
    created_at: utcInstant,
    updated_at: utcInstant,
    status: z.enum(sellOrderStatuses),
    fail_reason: optional(z.enum(failReasons)),
    wallet: optional(text),
    transaction_hash: optional(text),
    fees_partner_currency: emptyObjectOr(object({ ramp_fee: optional(money), partner_fee: optional(money) })),
  }),
);

export type SellOrderDocument = z.infer<typeof sellOrderDocument>;
