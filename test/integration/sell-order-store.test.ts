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
    store = new SellOrderStore(engine.table("SellOrders"));
    register = new SellOrderRegister(engine.table("SellOrders"));
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

  test("move forward, stay the same, and never go back", async () => {
    const id = orderIdOf(1);
    expect(await put({ id })).toEqual({ outcome: "written" });
    expect(await put({ id })).toEqual({ outcome: "unchanged" });
    expect(await put({ id, status: "PROCESSING", ...at(1) })).toEqual({ outcome: "written" });
    expect(await put({ id })).toEqual({ outcome: "stale" });
    expect(await put({ id, status: "COMPLETED", ...at(2) })).toEqual({ outcome: "written" });
    expect(await store.get("partner-1", id)).toContain('"status":"COMPLETED"');
  });

  test("follow their source wherever it goes, and report unusual steps", async () => {
    const id = orderIdOf(2);
    const hash = { transaction_hash: "0xa1" };
    await put({ id, status: "COMPLETED", ...hash });
    expect(await put({ id, status: "FAILED", fail_reason: "REFUNDED", ...hash, ...at(1) })).toEqual({
      outcome: "written",
      unusual: "status COMPLETED → FAILED",
    });
    expect(await put({ id, status: "PROCESSING", created_at: "2026-03-01T10:00:01Z", ...at(2) })).toEqual({
      outcome: "written",
      unusual:
        "status FAILED → PROCESSING; created_at 2026-03-01T10:00:00.000000Z → 2026-03-01T10:00:01.000000Z",
    });
    expect(await store.get("partner-1", id)).toContain('"status":"PROCESSING"');
  });

  test.each(["REFUNDED", "CREDITED_AS_CRYPTO"])(
    "may have failed as %s without a known deposit, which is unusual",
    async (fail_reason) => {
      const id = orderIdOf(7);
      await put({ id }, fail_reason);
      expect(await put({ id, status: "FAILED", fail_reason, ...at(1) }, fail_reason)).toEqual({
        outcome: "written",
        unusual: `fail_reason ${fail_reason} without a transaction_hash`,
      });
      expect(await store.get(fail_reason, id)).toContain(`"fail_reason":"${fail_reason}"`);
    },
  );

  test("may expire with a deposit that was too small, or came too late", async () => {
    const [small, late] = [orderIdOf(8), orderIdOf(9)];
    const hash = { transaction_hash: "0xa1" };
    const expired = { status: "FAILED", fail_reason: "EXPIRED" };
    await put({ id: small, ...hash });
    expect(await put({ id: small, ...expired, ...hash, ...at(1) })).toEqual({ outcome: "written" });
    await put({ id: late, ...expired });
    expect(await put({ id: late, ...expired, ...hash, ...at(1) })).toEqual({ outcome: "written" });
    expect(await put({ id: late, status: "FAILED", fail_reason: "REFUNDED", ...hash, ...at(2) })).toEqual({
      outcome: "written",
    });
  });

  test("take back a wrong newest version by a correction, and keep their spelling through it", async () => {
    const id = orderIdOf(6).toUpperCase();
    const given = (members: object) => sellOrderText({ id: id.toLowerCase(), ...members });
    await put({ id });
    await put({ id: id.toLowerCase(), status: "COMPLETED", ...at(9) });
    const correcting = putSellOrder(
      register,
      contractBrand,
      "partner-1",
      given({ status: "PROCESSING", ...at(3) }),
      {
        correct: {},
      },
    );
    expect(await correcting).toEqual({
      outcome: "corrected",
      replaced: "replaces the version of 2026-03-01T10:00:09.000000Z; status COMPLETED → PROCESSING",
    });
    expect(await put({ id, status: "COMPLETED", ...at(9) })).toEqual({ outcome: "stale" });
    expect(await store.get("partner-1", id)).toBe(sellOrderText({ id, status: "PROCESSING", ...at(3) }));
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
    expect(await put({ id, status: "FAILED", fail_reason: "OTHER" })).toMatchObject({ outcome: "refused" });
    expect(await store.get("partner-1", id)).toBeUndefined();
  });
});
