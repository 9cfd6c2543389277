import { apiKey } from "../lib/auth/api-key.ts";
import { compose, prime } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { createRateLimit } from "../lib/rate-limit/create-rate-limit.ts";
import { answerSellOrder } from "../lib/sell-orders/answers.ts";
import { getSellOrder } from "../lib/sell-orders/contract.ts";
import { SellOrderStore } from "../lib/sell-orders/sell-order-store.ts";

const { env, client, clock, credentials, shared } = compose(getSellOrder);

export const handler = endpoint({
  ...shared,
  authenticate: apiKey({ credentials, clock }),
  limiter: createRateLimit(getSellOrder.limit, env.RATE_LIMIT_RAMP, env.RATE_LIMITS_TABLE, clock),
  answer: answerSellOrder(new SellOrderStore(client, env.SELL_ORDERS_TABLE)),
});

await prime(shared);
