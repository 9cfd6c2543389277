import { apiKey } from "../lib/auth/api-key.ts";
import { commonParts, openConnection } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { getSellOrder } from "../lib/sell-orders/contract.ts";
import { planGetSellOrder } from "../lib/sell-orders/get-sell-order.ts";
import { SellOrderStore } from "../lib/sell-orders/sell-order-store.ts";

const { env, client, clock, log, credentials, switches, limiter } = commonParts(getSellOrder);
const orders = new SellOrderStore({ client, name: env.SELL_ORDERS_TABLE });

export const handler = endpoint({
  contract: getSellOrder,
  switches,
  authenticate: apiKey({ credentials, clock }),
  plan: planGetSellOrder(orders),
  limiter,
  clock,
  log,
});

await openConnection(getSellOrder, switches);
