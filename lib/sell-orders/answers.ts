import { Failure } from "../errors.ts";
import type { Call } from "../http/call.ts";
import type { Answer } from "../http/respond.ts";
import type { getSellOrder } from "./contract.ts";
import type { SellOrderStore } from "./sell-order-store.ts";

/** Answers `GET /sell-orders/{order_id}`. One of another partner is a 404 like one that does not exist. */
export function answerSellOrder(store: SellOrderStore) {
  return async ({ path, principal }: Call<typeof getSellOrder>): Promise<Answer> => {
    const body = await store.get(principal.owner, path.order_id);
    if (body === undefined) throw new Failure("not_found", "There is no such sell order.");
    return { body };
  };
}
