import * as z from "zod/mini";
import { sharedEnv, tableEnv } from "../env.ts";
import type { EndpointContract } from "../http/contract.ts";
import { rateLimitEnv } from "../rate-limit/settings.ts";
import { normaliseOrderId } from "./order-id.ts";

const limit = {
  name: "ramp",
  costMax: 1,
  defaultBuckets: [{ name: "ramp", burst: 40, refillTokens: 20, refillWindowMs: 1_000 }],
} as const;

/** `GET /sell-orders/{order_id}` (contract: exchange and ramp, endpoint B). `order_id` is read in any letter case. */
export const getSellOrder = {
  name: "get-sell-order",
  method: "GET",
  route: "/sell-orders/{order_id}",
  scheme: "ApiKey",
  scope: undefined,
  path: z.object({
    order_id: z.pipe(
      z._default(z.string(), ""),
      z.transform((given, context) => {
        const orderId = normaliseOrderId(given);
        if (orderId !== undefined) return orderId;
        context.issues.push({ code: "custom", message: "must be a UUID or a ULID", input: given });
        return z.NEVER;
      }),
    ),
  }),
  query: z.object({}),
  repeatable: [],
  retryAfterUnit: "seconds",
  cacheControl: "no-store",
  limit,
  env: z.object({
    ...sharedEnv,
    ...tableEnv("SELL_ORDERS_TABLE"),
    ...rateLimitEnv(limit),
  }),
} as const satisfies EndpointContract;
