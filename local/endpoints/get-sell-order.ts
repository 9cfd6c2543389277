import { getSellOrder } from "../../lib/sell-orders/contract.ts";
import { codesOfEvery, describeEndpoint, header } from "./endpoint-reference.ts";
import { orderIdKeywords, sellOrderRecord } from "./records/sell-order.ts";

export const getSellOrderReference = describeEndpoint({
  contract: getSellOrder,
  tag: "Ramp",
  title: "Get a sell order",
  text: [
    "Returns one sell order of the partner that the API key belongs to. An order of another partner is a `404` like one that does not exist.",
    "The order changes until `status` is `COMPLETED` or `FAILED`. While `status` is `AWAITING_DEPOSIT`, with a `transaction_hash` too, poll it once a minute; after that every five seconds. The `fail_reason` of a failed order may still change, as from `EXPIRED` to `REFUNDED` when the deposit comes after all: read such an order once a day for as long as that matters to you.",
    "A `404` is not final while the session is younger than ten minutes: ask again every five seconds. After that stop, and check the id and the key: a session that the customer left may never become an order. Treat a `status` that you do not know as not final. There is no `ETag`, and no list of orders.",
  ],
  parameters: {
    order_id: {
      text: "The `orderId` given when the sell session was created: a UUID or a ULID. Upper and lower case are the same here.",
      example: "4f9c2f0e-6f0a-4b9e-9a51-0b7d5a0c1e2f",
      ...orderIdKeywords,
    },
  },
  headers: {},
  success: { text: "The sell order.", record: sellOrderRecord, headers: {} },
  codes: [...codesOfEvery, "validation_error", "not_found"],
  cost: "1 token a request.",
  curl: ({ baseUrl, ramp }) => [
    {
      url: `${baseUrl}/sell-orders/${encodeURIComponent(ramp.orderId)}`,
      options: header(`X-API-KEY: ${ramp.apiKey}`),
    },
  ],
  examples: {
    good: { "The record": "/sell-orders/4f9c2f0e-6f0a-4b9e-9a51-0b7d5a0c1e2f" },
    refused: {
      validation_error: "/sell-orders/order-1",
      not_found: "/sell-orders/01ARZ3NDEKTSV4RRFFQ69G5FAV",
    },
  },
});
