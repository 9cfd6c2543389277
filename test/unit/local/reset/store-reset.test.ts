import { afterAll, expect, test } from "vitest";
import type { Item } from "../../../../lib/dynamo/item.ts";
import { scan } from "../../../../lib/dynamo/scan.ts";
import { Turnstile } from "../../../../local/gateway/turnstile.ts";
import { StoreReset } from "../../../../local/reset/store-reset.ts";
import { stageTables } from "../../../../ops/store/local-tables.ts";
import { openNearStore } from "../../../support/engine.ts";

const engine = await openNearStore();
afterAll(() => engine.close());

const passItem = (reference: string, version: number): Item => ({
  partner_reference: { S: reference },
  version: { N: String(version) },
});
const markers: Item[] = [{ id: { S: "demo#records" } }, { id: { S: "demo#trades" } }];

/** A reset to two passes, whose other parts note what they do. */
function resetOf(
  events: string[],
  others: {
    readonly ownerWrites?: () => Promise<number>;
    readonly prepare?: () => Promise<void>;
    readonly more?: readonly Item[];
  } = {},
) {
  const fresh = new Map<string, readonly Item[]>([
    [engine.tableName("Passes"), [passItem("a", 1), passItem("b", 1), ...(others.more ?? [])]],
    [engine.tableName("Settings"), markers],
  ]);
  return new StoreReset({
    client: engine.client,
    tables: stageTables("test"),
    stage: "test",
    fresh: { read: async () => fresh },
    turnstile: new Turnstile(),
    ownerWrites: others.ownerWrites ?? (async () => 0),
    prepareRenewal: async () => {
      events.push("prepared");
      await others.prepare?.();
      return {
        exchange: async (work) => {
          events.push("barred");
          const done = await work();
          events.push("exchanged");
          return done;
        },
        abandon: async () => void events.push("abandoned"),
      };
    },
    resetTime: async () => void events.push("machine's time"),
    continueTrades: async () => void events.push("traded"),
    conclude: async () => void events.push("concluded"),
    clock: () => 0,
  });
}

const { PutItemCommand } = await import("@aws-sdk/client-dynamodb");
const put = (item: Item, table: "Passes" | "RateLimits" = "Passes") =>
  engine.client.send(new PutItemCommand({ TableName: engine.tableName(table), Item: item }));
const stored = async (): Promise<string[]> =>
  (await Array.fromAsync(scan(engine.table("Passes")))).map(
    ({ partner_reference: reference, version }) => `${reference?.S} ${version?.N}`,
  );

test("the functions lose the store before a record changes, and get it back with new environments", async () => {
  const events: string[] = [];
  await put(passItem("a", 2));
  await put(passItem("imported", 1));
  await put({ k: { S: "owner" } }, "RateLimits");
  expect(await resetOf(events).run()).toMatchObject({ written: 2, deleted: 2 });
  expect(new Set(await stored())).toEqual(new Set(["a 1", "b 1"]));
  expect(events).toEqual(["prepared", "barred", "machine's time", "traded", "exchanged", "concluded"]);
  expect(await resetOf([]).run()).toMatchObject({ written: 0, deleted: 0 });
});

test("a record that an operator writes while the reset is prepared is removed all the same", async () => {
  let writes = 0;
  const prepare = async (): Promise<void> => {
    await put(passItem("late", 1));
    writes += 1;
  };
  await resetOf([], { ownerWrites: async () => writes, prepare }).run();
  expect(new Set(await stored())).toEqual(new Set(["a 1", "b 1"]));
});

test("a store that was put back only in part does not say that it has all", async () => {
  const markersThere = async () => (await Array.fromAsync(scan(engine.table("Settings")))).length;
  await resetOf([]).run();
  expect(await markersThere()).toBe(2);
  const tooLarge = { ...passItem("large", 1), text: { S: "x".repeat(420_000) } };
  await expect(resetOf([], { more: [tooLarge] }).run()).rejects.toThrow();
  expect(await markersThere()).toBe(0);
  await resetOf([]).run();
  expect(await markersThere()).toBe(2);
});

test("two resets at once are refused", async () => {
  const reset = resetOf([]);
  const first = reset.run();
  await expect(reset.run()).rejects.toThrow("Another reset is under way");
  await first;
  await reset.run();
});

test("new environments are ended when what has to be written cannot be found", async () => {
  const events: string[] = [];
  const reset = resetOf(events, { ownerWrites: () => Promise.reject(new Error("full")) });
  await expect(reset.run()).rejects.toThrow("full");
  expect(events).toEqual(["prepared", "abandoned"]);
});
