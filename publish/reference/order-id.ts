import { ULID, UUID } from "../../lib/sell-orders/order-id.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Keywords for the id of a sell order. */
export const orderIdKeywords: JsonSchema = {
  anyOf: [
    { title: "UUID", pattern: UUID.source },
    { title: "ULID", pattern: ULID.source },
  ],
};
