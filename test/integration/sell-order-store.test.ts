import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { SellOrderStore } from "../../lib/sell-orders/sell-order-store.ts";
import { sellOrderText } from "../support/documents.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";

const at = (second: number) => ({ updated_at: `2026-03-01T10:00:0${second}Z` });
const orderIdOf = (number: number) => `0000000a-0000-4000-8000-00000000000${number}`;

describe.each(testedStores)("sell orders on %s", (kind) => {
  let engine: Engine;
  let store: SellOrderStore;
  let register: SellOrderRegister;
  const put = (members: object, partnerId = "partner-1") =>
    putSellOrder(register, contractBrand, partnerId, sellOrderText({ ...members }));

  beforeAll(async () => {
    engine = await startEngine(kind);
    store = new SellOrderStore(engine.client, engine.tableName("SellOrders"));
    register = new SellOrderRegister(engine.client, engine.tableName("SellOrders"));
  });
  afterAll(() => engine.close());

  test("are found in any letter case, by their partner only, and served as their id was given", async () => {
    const id = "F6868AB3-dba4-4812-a98b-3bf818fcacfa";
    await put({ id });
    await put({ id: id.toLowerCase(), wallet: "of another partner" }, "partner-2");
    for (const spelling of [id, id.toLowerCase(), id.toUpperCase()]) {
      expect(await store.get("partner-1", spelling)).toBe(sellOrderText({ id }));
    }
    expect(await store.get("partner-2", id)).toContain("of another partner");
    expect(await store.get("partner-3", id)).toBeUndefined();
    expect(await store.get("partner-1", "tx_123")).toBeUndefined();
  });

  test("proceed, stand still, and are not set back", async () => {
    const id = orderIdOf(1);
    expect(await put({ id })).toEqual({ outcome: "written" });
    expect(await put({ id })).toEqual({ outcome: "unchanged" });
    expect(await put({ id, status: "PROCESSING", ...at(1) })).toEqual({ outcome: "written" });
    expect(await put({ id })).toEqual({ outcome: "stale" });
    expect(await put({ id, ...at(2) })).toEqual({
      outcome: "refused",
      reason: "status cannot go from PROCESSING to AWAITING_DEPOSIT",
    });
    expect(await put({ id, status: "FAILED", fail_reason: "EXPIRED", ...at(2) })).toEqual({
      outcome: "refused",
      reason: "status cannot go from PROCESSING to FAILED (EXPIRED)",
    });
    expect(await put({ id, status: "COMPLETED", ...at(2) })).toEqual({ outcome: "written" });
    expect(await put({ id, status: "FAILED", ...at(3) })).toMatchObject({ outcome: "refused" });
    expect(await store.get("partner-1", id)).toContain('"status":"COMPLETED"');
  });

  test("never expire once a deposit was seen, although it was still awaited then", async () => {
    const id = orderIdOf(9);
    await put({ id, transaction_hash: "0xa1" });
    expect(await put({ id, status: "FAILED", fail_reason: "EXPIRED", ...at(2) })).toMatchObject({
      outcome: "refused",
    });
  });

  test("keep the instant of their creation", async () => {
    const id = orderIdOf(2);
    await put({ id });
    expect(await put({ id, created_at: "2026-03-01T10:00:01Z", ...at(2) })).toEqual({
      outcome: "refused",
      reason: "created_at differs from what is stored: it never changes",
    });
  });

  test("keep the spelling of their id through versions that spell it otherwise", async () => {
    const id = orderIdOf(3).toUpperCase();
    await put({ id });
    expect(await put({ id: id.toLowerCase(), status: "PROCESSING", ...at(1) })).toEqual({
      outcome: "written",
    });
    expect(await put({ id: id.toLowerCase(), status: "PROCESSING", ...at(1) })).toEqual({
      outcome: "unchanged",
    });
    expect(await store.get("partner-1", id)).toBe(sellOrderText({ id, status: "PROCESSING", ...at(1) }));
  });

  test("take the spelling of an older version that arrives late, and nothing else of it", async () => {
    const id = orderIdOf(4).toUpperCase();
    await put({ id: id.toLowerCase(), status: "PROCESSING", ...at(1) });
    expect(await put({ id })).toEqual({ outcome: "stale" });
    expect(await store.get("partner-1", id)).toBe(sellOrderText({ id, status: "PROCESSING", ...at(1) }));
  });

  test("are refused with nothing stored when they break the contract", async () => {
    const id = orderIdOf(5);
    expect(await put({ id, status: "FAILED", fail_reason: "REFUNDED" })).toMatchObject({
      outcome: "refused",
    });
    expect(await store.get("partner-1", id)).toBeUndefined();
  });
});
