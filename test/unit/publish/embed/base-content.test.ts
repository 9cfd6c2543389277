import type { Entry } from "dynalite/db/index.js";
import { beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { seedRecords } from "../../../../local/demo/seed-records.ts";
import { fewBusyTrades } from "../../../../local/demo/trade-plan.ts";
import { continueDemoTrades } from "../../../../local/demo/trades.ts";
import { openMemoryStore } from "../../../../local/store/memory-store.ts";
import { createTables } from "../../../../local/store/tables.ts";
import { LOCAL_STAGE } from "../../../../local/template/local-stage.ts";
import { stageTables } from "../../../../ops/store/local-tables.ts";
import { type BaseContent, BaseContents } from "../../../../publish/embed/base-content.ts";

const NOW = Date.UTC(2026, 10, 28, 9, 30);
const fail = (error: unknown): never => {
  throw error;
};
const tables = stageTables(LOCAL_STAGE);
const order = { tables, brand: contractBrand, atMs: NOW, isExact: true, hasDemo: true };

/** Items and index entries as texts; what the engine keeps of its tables differs in each. */
const itemsOf = (entries: readonly Entry[]): ReadonlyMap<string, string> =>
  new Map(
    entries
      .map(([key, value]) => [key.toString(), value.toString()] as const)
      .filter(([key]) => !key.startsWith("table~")),
  );

describe("the content of worlds", () => {
  const contents = new BaseContents(fail);
  let content: BaseContent;
  beforeAll(async () => {
    content = await contents.of(order);
  });

  test("is what the demo's writers put into a store one by one", async () => {
    const clock = () => NOW;
    const store = await openMemoryStore({ clock, report: fail });
    const parts = { client: store.client, stage: LOCAL_STAGE, brand: contractBrand, clock };
    await createTables(store.client, tables);
    await seedRecords(parts);
    await continueDemoTrades({ ...parts, busy: fewBusyTrades });
    const items = itemsOf(await store.content.read());
    expect(items.size).toBeGreaterThan(500);
    expect(itemsOf(content.entries)).toEqual(items);
    await store.close();
  });

  test("is made once for all that begin alike: at the same instant, or without one on the same day", async () => {
    expect(contents.of(order)).toBe(contents.of(order));
    expect(contents.of({ ...order, atMs: NOW + 1 })).not.toBe(contents.of(order));
    const ofDay = { ...order, isExact: false };
    const midnight = Date.UTC(2026, 10, 29);
    expect(contents.of({ ...ofDay, atMs: midnight - 1 })).toBe(contents.of(ofDay));
    expect(contents.of({ ...ofDay, atMs: midnight })).not.toBe(contents.of(ofDay));
    const bare = { ...order, hasDemo: false };
    expect(contents.of(bare)).not.toBe(contents.of(order));
    const acme = { ...order, brand: { ...contractBrand, ownAccount: "acme" } };
    expect(contents.of(acme)).not.toBe(contents.of(order));
    expect(contents.of({ ...order, brand: { ...contractBrand, basePath: "/api" } })).toBe(contents.of(order));
    await Promise.all([
      contents.of({ ...order, atMs: NOW + 1 }),
      contents.of(ofDay),
      contents.of({ ...ofDay, atMs: midnight }),
      contents.of(acme),
      contents.of(bare),
    ]);
  });
});
