import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { writeBatches } from "../../lib/dynamo/batch-write.ts";
import { Failure } from "../../lib/errors.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionListStore } from "../../lib/transactions/transaction-list-store.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { createLocalClient } from "../../local/store/engine.ts";
import { NOW } from "../support/chain.ts";
import { legOf, transactionText } from "../support/documents.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";

const completed = { state: "completed", completed_at: "2026-03-01T10:05:00Z" };
const at = (second: number) => ({ updated_at: `2026-03-01T10:00:0${second}Z` });

describe.each(testedStores)("transactions on %s", (kind) => {
  let engine: Engine;
  let store: TransactionStore;
  let lists: TransactionListStore;
  let register: TransactionRegister;
  const put = (members: object, businessId = "business-1") =>
    putTransaction(register, contractBrand, businessId, transactionText({ ...members }));

  beforeAll(async () => {
    engine = await startEngine(kind);
    store = new TransactionStore(engine.table("Transactions"));
    lists = new TransactionListStore(engine.table("Transactions"));
    register = new TransactionRegister(engine.table("Transactions"));
  });
  afterAll(() => engine.close());

  test("are served as they were written, to their business only", async () => {
    expect(await put({ id: "served" })).toEqual({ outcome: "written" });
    expect(await store.get("business-1", "served")).toBe(transactionText({ id: "served" }));
    expect(await store.get("business-2", "served")).toBeUndefined();
    expect(await store.get("business-1", "missing")).toBeUndefined();
  });

  test("of the same id belong to each business by itself", async () => {
    await put({ id: "twin", reference: "one" }, "business-1");
    await put({ id: "twin", reference: "two" }, "business-2");
    expect(await store.get("business-1", "twin")).toContain('"reference":"one"');
    expect(await store.get("business-2", "twin")).toContain('"reference":"two"');
  });

  test("are refused with nothing stored when they break the contract", async () => {
    expect(await put({ id: "broken", legs: [] })).toMatchObject({ outcome: "refused" });
    expect(await store.get("business-1", "broken")).toBeUndefined();
  });

  test("move forward, stay the same, and never go back", async () => {
    const id = "steps";
    expect(await put({ id })).toEqual({ outcome: "written" });
    expect(await put({ id })).toEqual({ outcome: "unchanged" });
    expect(await put({ id, ...completed, ...at(1) })).toEqual({ outcome: "written" });
    expect(await put({ id })).toEqual({ outcome: "stale" });
    expect(await put({ id, ...completed, ...at(2), reference: "later" })).toEqual({ outcome: "written" });
    expect(await put({ id, ...completed, ...at(2), reference: "a" })).toEqual({ outcome: "stale" });
    expect(await put({ id, ...completed, ...at(2), reference: "z" })).toEqual({ outcome: "written" });
    expect(await put({ id, state: "reverted", ...at(3) })).toEqual({ outcome: "written" });
    expect(await store.get("business-1", id)).toContain('"state":"reverted"');
  });

  test("follow their source wherever it goes, and report unusual steps", async () => {
    const id = "corrected";
    await put({ id, state: "declined" });
    expect(await put({ id, ...completed, ...at(1) })).toEqual({
      outcome: "written",
      unusual: "state declined → completed",
    });
    expect(await put({ id, state: "failed", ...at(2) })).toEqual({
      outcome: "written",
      unusual: "state completed → failed",
    });
    expect(await put({ id, state: "failed", ...at(3) })).toEqual({ outcome: "written" });
    expect(await put({ id, ...at(4) })).toEqual({ outcome: "written", unusual: "state failed → pending" });
    expect(await put({ id, ...completed, ...at(1) })).toEqual({ outcome: "stale" });
    expect(await store.get("business-1", id)).toBe(transactionText({ id, ...at(4) }));
  });

  test("take back a wrong newest version by a correction, which leaves a trace in their row", async () => {
    const id = "frozen";
    const wrong = { id, ...completed, updated_at: "2026-11-01T00:00:00Z" };
    const text = transactionText({ id, ...at(3) });
    const intake = { clock: () => NOW, correct: { reason: "a wrong clock" } };
    await put(wrong);
    expect(await put({ id, ...at(3) })).toEqual({ outcome: "stale" });
    expect(await putTransaction(register, contractBrand, "business-1", text, intake)).toEqual({
      outcome: "corrected",
      replaced: "replaces the version of 2026-11-01T00:00:00.000000Z; state completed → pending",
    });
    expect(await store.get("business-1", id)).toBe(text);
    expect(await put(wrong)).toEqual({ outcome: "stale" });
    expect(await put({ id, state: "declined", ...at(4) })).toEqual({ outcome: "written" });
    const Key = { business_id: { S: "business-1" }, id: { S: id } };
    const { Item } = await engine.client.send(
      new GetItemCommand({ TableName: engine.tableName("Transactions"), Key, ConsistentRead: true }),
    );
    expect(JSON.parse(Item?.corrections?.S ?? "null")).toEqual([
      expect.objectContaining({ at: new Date(NOW).toISOString(), reason: "a wrong clock" }),
    ]);
  });

  test("are unusual when the instant of their creation changes, but not when it is only spelled otherwise", async () => {
    const id = "moved";
    await put({ id });
    const spelled = { id, created_at: "2026-03-01T11:00:00.000+01:00" };
    expect(await put({ ...spelled, ...at(1) })).toEqual({ outcome: "written" });
    expect(await put({ id, created_at: "2026-03-02T10:00:00.000001Z", ...at(2) })).toEqual({
      outcome: "written",
      unusual: "created_at 2026-03-01T10:00:00.000000Z → 2026-03-02T10:00:00.000001Z",
    });
  });

  test("are listed at the creation instant of their newest version, and nowhere else", async () => {
    const businessId = "business-moving";
    await put({ id: "a", request_id: "r", created_at: "2026-03-02T00:00:00Z" }, businessId);
    await put({ id: "b", request_id: "r", created_at: "2026-03-01T00:00:00Z" }, businessId);
    await put({ id: "a", request_id: "r", created_at: "2026-02-27T00:00:00Z", ...at(1) }, businessId);
    engine.settle();
    for (const requestId of [undefined, "r"]) {
      const { docs } = await lists.page({ businessId, requestId, count: 10 });
      expect(docs.map((doc) => JSON.parse(doc).id)).toEqual(["b", "a"]);
    }
    expect(await store.getNewestByRequestId(businessId, "r")).toContain('"id":"b"');
  });

  test("may learn their request id late; losing or changing it is unusual", async () => {
    const id = "learning";
    const requestLost = { outcome: "written", unusual: "request_id was lost or changed" };
    await put({ id });
    expect(await put({ id, request_id: "learnt", ...at(1) })).toEqual({ outcome: "written" });
    engine.settle();
    expect(await store.getNewestByRequestId("business-1", "learnt")).toContain(`"id":"${id}"`);
    expect(await put({ id, request_id: "another", ...at(2) })).toEqual(requestLost);
    expect(await store.getNewestByRequestId("business-1", "learnt")).toBeUndefined();
    const query = { businessId: "business-1", requestId: "learnt", count: 10 };
    expect(await lists.page(query)).toEqual({ docs: [] });
    engine.settle();
    expect(await store.getNewestByRequestId("business-1", "another")).toContain(`"id":"${id}"`);
    expect(await put({ id, ...at(3) })).toEqual(requestLost);
    engine.settle();
    expect(await store.getNewestByRequestId("business-1", "another")).toBeUndefined();
  });

  test("are found by their request, the newest of several, and never by their id", async () => {
    await put({ id: "request-b", request_id: "request-c" });
    await put({ id: "older", request_id: "request-b", created_at: "2026-02-01T00:00:00Z" });
    await put({ id: "newer", request_id: "request-b", created_at: "2026-02-02T00:00:00Z" });
    engine.settle();
    expect(await store.getNewestByRequestId("business-1", "request-b")).toContain('"id":"newer"');
    expect(await store.getNewestByRequestId("business-1", "request-c")).toContain('"id":"request-b"');
    expect(await store.getNewestByRequestId("business-2", "request-b")).toBeUndefined();
    expect(await store.getNewestByRequestId("business-1", "older")).toBeUndefined();
  });

  test("of the longest business are found by the longest request id, and by none of another business", async () => {
    const businessId = "😀".repeat(256);
    const requestId = "😀".repeat(128);
    expect(await put({ id: "long", request_id: requestId }, businessId)).toEqual({ outcome: "written" });
    expect(await put({ id: "theirs", request_id: "d" }, "b#c")).toEqual({ outcome: "written" });
    engine.settle();
    expect(await store.getNewestByRequestId(businessId, requestId)).toContain('"id":"long"');
    expect(await store.getNewestByRequestId("b", "c#d")).toBeUndefined();
  });

  test("are listed with every filter at once", async () => {
    const members = { type: "exchange", request_id: "request-f", legs: [legOf({ account_id: "account-f" })] };
    await put({ id: "filtered", ...members });
    engine.settle();
    const query = {
      businessId: "business-1",
      fromMicros: "001772359200000000",
      toMicros: "001772359200000001",
      accounts: ["account-f", "account-f", "no id"],
      types: ["exchange", "exchange"],
      states: ["pending", "failed"],
      count: 1,
    } as const;
    expect(await lists.page(query)).toEqual({ docs: [await store.get("business-1", "filtered")] });
    expect(await lists.page({ ...query, requestId: "request-f" })).toEqual({
      docs: [await store.get("business-1", "filtered")],
    });
    expect(await lists.page({ ...query, requestId: "request-f", states: ["failed"] })).toEqual({ docs: [] });
  });

  test("may be filtered by a hundred accounts", async () => {
    engine.settle();
    const accounts = Array.from({ length: 100 }, (_, index) => `account-${index}`);
    const page = await lists.page({ businessId: "business-1", accounts, states: ["pending"], count: 1000 });
    expect(page.docs).toContain(transactionText({ id: "served" }));
  });

  test("fill a page of 4 MB at most, and none is lost between pages", async () => {
    const description = "x".repeat(15_000);
    const total = 280;
    await put({ id: "big-0", legs: [legOf({ description })] }, "business-big");
    const Key = { business_id: { S: "business-big" }, id: { S: "big-0" } };
    const TableName = engine.tableName("Transactions");
    const { Item } = await engine.client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    const stored = JSON.stringify(Item);
    // The others are written as they would be stored: that each put stores its transaction is held above.
    const others = Array.from({ length: total - 1 }, (_, at) => ({
      PutRequest: { Item: JSON.parse(stored.replaceAll("big-0", `big-${at + 1}`)) },
    }));
    await writeBatches({ table: engine.table("Transactions"), pause: async () => {} }, others);
    engine.settle();
    const first = await lists.page({ businessId: "business-big", count: 1000 });
    expect(Buffer.byteLength(first.docs.join(""))).toBeLessThanOrEqual(4_000_000);
    const second = await lists.page({ businessId: "business-big", count: 1000, position: first.next });
    expect(second.next).toBeUndefined();
    expect(new Set([...first.docs, ...second.docs]).size).toBe(total);
  });

  test("that cannot be reached are a failure to retry, and never count as missing", async () => {
    const away = await startEngine(kind);
    const client = createLocalClient({ endpoint: away.endpoint, accessKeyId: "local" });
    const unreachable = new TransactionStore({ client, name: away.tableName("Transactions") });
    await away.close();
    await expect(unreachable.get("business-1", "served")).rejects.toBeInstanceOf(Failure);
    client.destroy();
    const elsewhere = new TransactionStore({ client: engine.client, name: "no-such-table" });
    await expect(elsewhere.get("business-1", "served")).rejects.toMatchObject({
      name: "ResourceNotFoundException",
    });
  });
});
