import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { scan } from "../../../../lib/dynamo/scan.ts";
import { tablesOf } from "../../../../lib/dynamo/table.ts";
import type { putVersioned } from "../../../../lib/dynamo/versioned-put.ts";
import { putSellOrder } from "../../../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../../../lib/sell-orders/sell-order-register.ts";
import { GatheredPuts } from "../../../../local/demo/seed-records.ts";
import { type MemoryStore, openMemoryStore } from "../../../../local/store/memory-store.ts";
import { createTables } from "../../../../local/store/tables.ts";
import { stageTables } from "../../../../ops/store/local-tables.ts";
import { cases } from "../../../support/cases.ts";
import { sellOrderText } from "../../../support/documents.ts";

const STAGE = "gathered";
const clock = () => Date.UTC(2026, 10, 28);
const ID = "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";

/** Versions of one order with ties, and with the id in other letter cases, which later versions inherit. */
const version = fc
  .record({
    id: fc.constantFrom(ID, ID.toUpperCase()),
    second: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom("AWAITING_DEPOSIT", "PROCESSING", "COMPLETED"),
    owner: fc.constantFrom("partner-1", "partner-2"),
  })
  .map(({ id, second, status, owner }) => ({
    owner,
    text: sellOrderText({ id, updated_at: `2026-03-01T10:00:0${second}Z`, status }),
  }));

describe("versions that are gathered", () => {
  const tables = stageTables(STAGE);
  let store: MemoryStore;
  beforeAll(async () => {
    store = await openMemoryStore({ clock, report: (error) => expect.unreachable(String(error)) });
    await createTables(store.client, tables);
  });
  afterAll(() => store.close());

  test("have the outcomes and leave the items that they would in a store, whatever comes in whatever order", async () => {
    const empty = await store.content.read();
    const table = tablesOf(store.client, STAGE)("SellOrders");
    await fc.assert(
      fc.asyncProperty(fc.array(version, { maxLength: 8 }), async (versions) => {
        await store.content.replace(empty);
        const write = async (put?: typeof putVersioned) => {
          const register = new SellOrderRegister(table, put);
          const outcomes: unknown[] = [];
          for (const { owner, text } of versions)
            outcomes.push(await putSellOrder(register, contractBrand, owner, text, { clock }));
          return outcomes;
        };
        const gathered = new GatheredPuts();
        const outcomes = await write(gathered.put);
        expect(outcomes).toEqual(await write());
        expect(outcomes).not.toContainEqual(expect.objectContaining({ outcome: "refused" }));
        const stored = await Array.fromAsync(scan(table));
        const [[, items] = [table.name, []]] = gathered.list();
        expect(new Set(items)).toEqual(new Set(stored));
      }),
      { numRuns: cases(10) },
    );
  });
});
