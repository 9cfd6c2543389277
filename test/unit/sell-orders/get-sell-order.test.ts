import { beforeEach, describe, expect, test } from "vitest";
import { planGetSellOrder } from "../../../lib/sell-orders/get-sell-order.ts";

const ORDER_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

describe("one sell order", () => {
  const lookUps: string[] = [];
  beforeEach(() => {
    lookUps.length = 0;
  });

  /** The plan for an order of a partner, over a store that holds one order of partner-1. */
  const planFor = (owner: string) => {
    const get = async (...asked: readonly [partnerId: string, orderId: string]) => {
      lookUps.push(asked.join(" "));
      return asked.join() === `partner-1,${ORDER_ID}` ? '{"id":"o"}' : undefined;
    };
    return planGetSellOrder({ get })({
      path: { order_id: ORDER_ID },
      query: {},
      principal: { owner, scopes: [] },
      headers: {},
      rawQuery: "",
    });
  };

  test("is answered as it is stored, to its own partner", async () => {
    const { answer } = await planFor("partner-1");
    expect(await answer()).toEqual({ body: '{"id":"o"}' });
  });

  test("of another partner is not found, like one that there is not", async () => {
    const { answer } = await planFor("partner-2");
    await expect(answer()).rejects.toMatchObject({
      code: "not_found",
      message: "There is no such sell order.",
    });
    expect(lookUps).toEqual([`partner-2 ${ORDER_ID}`]);
  });

  test("costs one token, and is looked for only after that", async () => {
    expect(await planFor("partner-1")).toMatchObject({ cost: 1 });
    expect(lookUps).toEqual([]);
  });
});
