import { Failure } from "../errors.ts";
import type { MakePlan } from "../http/plan.ts";
import type { getSellOrder } from "./contract.ts";
import type { SellOrderStore } from "./sell-order-store.ts";

/** Plans `GET /sell-orders/{order_id}`. An order of another partner is a 404, like one that does not exist. */
export function planGetSellOrder(orders: Pick<SellOrderStore, "get">): MakePlan<typeof getSellOrder> {
  return async ({ path, principal }) => ({
    cost: 1,
    answer: async () => {
      const body = await orders.get(principal.owner, path.order_id);
      if (body === undefined) throw new Failure("not_found", "There is no such sell order.");
      return { body };
    },
  });
}
