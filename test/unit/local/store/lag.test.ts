import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type LagOptions, lagging } from "../../../../local/store/behaviour/lag.ts";
import type { WireItem } from "../../../../local/store/behaviour/touched-items.ts";
import { openEmbeddedEngine } from "../../../../local/store/embedded-engine.ts";
import type { TableShape } from "../../../../local/store/table-shape.ts";
import { AnswerLost, exceptionOf, refusalAnswer, type StoreHandler } from "../../../../local/store/wire.ts";
import { describeEachEngine } from "../../../support/each-engine.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { ask, makeTable, plainShape, shapesOf, sortedTable } from "../../../support/store-handler.ts";

const INDEX_LAG_MS = 1_000;
const EVENTUAL_LAG_MS = 100;
const SLOWEST = 0;
const FASTEST = 1 - Number.EPSILON;

const definition = (name: string) => ({
  ...sortedTable(name),
  AttributeDefinitions: ["pk", "sk", "colour", "size"].map((AttributeName) => ({
    AttributeName,
    AttributeType: AttributeName === "size" ? "N" : "S",
  })),
  GlobalSecondaryIndexes: [
    {
      IndexName: "by-colour",
      KeySchema: [
        { AttributeName: "colour", KeyType: "HASH" },
        { AttributeName: "size", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["note"] },
    },
    {
      IndexName: "by-size",
      KeySchema: [{ AttributeName: "size", KeyType: "HASH" }],
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
  ],
});
const key = (sk: string) => ({ pk: { S: "p" }, sk: { S: sk } });
const item = (sk: string, note = "") => ({
  ...key(sk),
  colour: { S: "red" },
  size: { N: "7" },
  ...(note !== "" && { note: { S: note } }),
});

/** A clock and a random source that a test sets, and the copies that it has to close. */
class Stage {
  now = 1_000_000;
  random = () => SLOWEST;
  readonly #running: { close(): Promise<void> }[] = [];
  readonly shapes: TableShape[] = [];

  lagging(engine: StoreHandler, options: Partial<LagOptions> = {}): StoreHandler {
    const replica = async () => {
      const running = openEmbeddedEngine();
      this.#running.push(running);
      return running.handle;
    };
    return lagging({
      engine,
      replica,
      tables: (name) => shapesOf(...this.shapes)(name),
      clock: () => this.now,
      random: () => this.random(),
      indexLagMs: INDEX_LAG_MS,
      eventualLagMs: EVENTUAL_LAG_MS,
      ...options,
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.close()));
  }
}

describeEachEngine("lag before %s", (engine) => {
  const stage = new Stage();
  let store: StoreHandler;
  let TableName: string;
  let tables = 0;

  afterAll(() => stage.close());
  beforeEach(async () => {
    TableName = `things-${++tables}`;
    stage.random = () => SLOWEST;
    store = stage.lagging(engine);
    stage.shapes.push(await makeTable(store, definition(TableName)));
  });

  const put = (thing: WireItem) => ask(store, "PutItem", { TableName, Item: thing });
  const red = async (more = {}) =>
    (
      await ask(store, "Query", {
        TableName,
        IndexName: "by-colour",
        KeyConditionExpression: "colour = :red",
        ExpressionAttributeValues: { ":red": { S: "red" } },
        ...more,
      })
    ).Items;
  const get = async (sk: string, ConsistentRead = false) =>
    (await ask(store, "GetItem", { TableName, Key: key(sk), ConsistentRead })).Item;

  test("an index shows a write when its lag is over, and not a millisecond before", async () => {
    await put(item("a", "first"));
    stage.now += INDEX_LAG_MS - 1;
    expect(await red()).toEqual([]);
    stage.now += 1;
    expect(await red()).toEqual([item("a", "first")]);
  });

  test("an eventual read of the table lags, and a strong one does not", async () => {
    await put(item("a"));
    expect(await get("a", true)).toEqual(item("a"));
    expect(await get("a")).toBeUndefined();
    stage.now += EVENTUAL_LAG_MS;
    expect(await get("a")).toEqual(item("a"));
  });

  test("the engine may also answer an eventual read", async () => {
    await put(item("a"));
    stage.random = () => FASTEST;
    expect(await get("a")).toEqual(item("a"));
    expect((await ask(store, "Scan", { TableName })).Items).toEqual([]);
  });

  test("changes of different items overtake each other", async () => {
    await put(item("a"));
    stage.random = () => FASTEST;
    await put(item("b"));
    stage.now += 1;
    expect(await red()).toEqual([item("b")]);
  });

  test("an item leaves the index when it loses the index's key, or is deleted", async () => {
    await Promise.all(["a", "b", "c"].map((sk) => put(item(sk))));
    stage.now += INDEX_LAG_MS;
    await ask(store, "UpdateItem", { TableName, Key: key("a"), UpdateExpression: "REMOVE colour" });
    await ask(store, "DeleteItem", { TableName, Key: key("b") });
    expect(await red()).toHaveLength(3);
    stage.now += INDEX_LAG_MS;
    expect(await red()).toEqual([item("c")]);
  });

  test("each index lags independently, and holds only what it projects", async () => {
    const waits = [SLOWEST, SLOWEST, FASTEST];
    stage.random = () => waits.shift() as number;
    await put(item("a", "note"));
    stage.now += 1;
    expect(await red()).toEqual([]);
    expect((await ask(store, "Scan", { TableName, IndexName: "by-size" })).Items).toEqual([
      { ...key("a"), size: { N: "7" } },
    ]);
  });

  test("items stored before the first use are there from the beginning", async () => {
    const items = Array.from({ length: 60 }, (_, at) => item(String(at), "x".repeat(30_000)));
    await Promise.all(items.map((Item) => ask(engine, "PutItem", { TableName, Item })));
    expect(await get("59")).toBeDefined();
    const all = await ask(store, "Scan", { TableName, IndexName: "by-size", Select: "COUNT" });
    expect(all.Count).toBe(60);
  });

  test("a batch lags table by table, and is strong for tables where it asks for that", async () => {
    await ask(store, "BatchWriteItem", {
      RequestItems: { [TableName]: ["a", "b"].map((sk) => ({ PutRequest: { Item: item(sk) } })) },
    });
    const read = async (ConsistentRead: boolean) => {
      const part = { Keys: [key("a"), key("b")], ConsistentRead };
      const { Responses } = await ask(store, "BatchGetItem", { RequestItems: { [TableName]: part } });
      return (Responses as Record<string, unknown[]>)[TableName];
    };
    expect(await read(true)).toHaveLength(2);
    expect(await read(false)).toEqual([]);
    stage.now += EVENTUAL_LAG_MS;
    expect(await read(false)).toHaveLength(2);
  });

  test("a batch that the engine refuses is refused, even if no copy would refuse it", async () => {
    const keys = (count: number) => ({ Keys: Array.from({ length: count }, (_, at) => key(String(at))) });
    const other = `things-${++tables}`;
    stage.shapes.push(await makeTable(store, definition(other)));
    const input = { RequestItems: { [TableName]: keys(60), [other]: keys(60) } };
    const answer = await store({ operation: "BatchGetItem", input });
    expect(exceptionOf(answer)).toBe("ValidationException");
    expect(answer.body).not.toHaveProperty("Responses");
  });

  test("a strong read of an index is refused", async () => {
    await expect(red({ ConsistentRead: true })).rejects.toThrow("ValidationException");
  });

  test("an eventual read of a missing table is refused", async () => {
    stage.shapes.push({ ...(stage.shapes.at(-1) as TableShape), name: "gone" });
    const answer = await store({ operation: "Scan", input: { TableName: "gone" } });
    expect(exceptionOf(answer)).toBe("ResourceNotFoundException");
  });
});

const remembered = plainShape("remembered", "id", { "by-x": "x" });

describe("lag when requests fail", () => {
  const stage = new Stage();
  const TableName = remembered.name;
  const Item = { id: { S: "a" }, x: { S: "b" } };
  const inMemory = { tables: shapesOf(remembered), replica: async () => memoryStore({ shape: remembered }) };
  const lagBefore = (engine: StoreHandler, options: Partial<LagOptions> = { eventualLagMs: 0 }) =>
    stage.lagging(engine, { ...inMemory, ...options });
  const indexed = async (store: StoreHandler) =>
    (await ask(store, "Scan", { TableName, IndexName: "by-x" })).Items;

  test("a write whose answer is lost becomes visible", async () => {
    const engine = memoryStore({ shape: remembered });
    const store = lagBefore(async (request) => {
      const answer = await engine(request);
      if (request.operation === "PutItem") throw new AnswerLost();
      return answer;
    });
    await expect(ask(store, "PutItem", { TableName, Item })).rejects.toThrow(AnswerLost);
    expect(await indexed(store)).toEqual([]);
    stage.now += INDEX_LAG_MS;
    expect(await indexed(store)).toEqual([Item]);
  });

  test.each<[string, StoreHandler]>([
    ["is refused", async () => ({ status: 500, body: {} })],
    ["breaks off", () => Promise.reject(new Error("gone"))],
  ])("a write becomes visible even if the read of its result %s", async (_, fail) => {
    const engine = memoryStore({ shape: remembered });
    const store = lagBefore((request) => (request.operation === "GetItem" ? fail : engine)(request));
    await ask(store, "PutItem", { TableName, Item });
    expect(await indexed(store)).toEqual([Item]);
  });

  test("copying a table is tried again after it failed", async () => {
    const engine = memoryStore({ shape: remembered });
    let isDown = true;
    const store = lagBefore((request) => (isDown ? Promise.reject(new Error("down")) : engine(request)));
    await expect(indexed(store)).rejects.toThrow("down");
    isDown = false;
    expect(await indexed(store)).toEqual([]);
  });

  describe("with a copy that refuses an item", () => {
    const Refused = { ...Item, id: { S: "refused" } };
    let refusals = Number.POSITIVE_INFINITY;
    /** A copy that refuses one item, alone or in a batch, a given number of times. */
    const fussy = (): StoreHandler => {
      const copy = memoryStore({ shape: remembered });
      return async (request) => {
        if (!/Put|BatchWrite/.test(request.operation) || !JSON.stringify(request).includes("refused"))
          return copy(request);
        refusals -= 1;
        return refusals < 0 ? copy(request) : refusalAnswer({ code: "ValidationException", message: "" });
      };
    };
    const lagBeforeFussy = (eventualLagMs = 0) =>
      lagBefore(memoryStore({ shape: remembered }), { replica: async () => fussy(), eventualLagMs });

    test("every write is answered, and every read is right", async () => {
      refusals = Number.POSITIVE_INFINITY;
      const store = lagBeforeFussy(EVENTUAL_LAG_MS);
      await ask(store, "PutItem", { TableName, Item: Refused });
      stage.now += INDEX_LAG_MS;
      await ask(store, "PutItem", { TableName, Item });
      await ask(store, "PutItem", { TableName, Item: { ...Refused, x: { S: "c" } } });
      stage.now += INDEX_LAG_MS;
      expect(await indexed(store)).toEqual([{ ...Refused, x: { S: "c" } }, Item]);
      const Keys = [{ id: Refused.id }];
      expect(await ask(store, "BatchGetItem", { RequestItems: { [TableName]: { Keys } } })).toMatchObject({
        Responses: { [TableName]: [{ ...Refused, x: { S: "c" } }] },
      });
    });

    test("an item that a copy refused once is in the copy that replaces it", async () => {
      refusals = 1;
      const store = lagBeforeFussy();
      await ask(store, "PutItem", { TableName, Item: Refused });
      stage.now += INDEX_LAG_MS;
      expect(await indexed(store)).toEqual([Refused]);
      await ask(store, "PutItem", { TableName, Item });
      expect(await indexed(store)).toEqual([Refused]);
    });
  });

  test("a table that is deleted and created again is empty", async () => {
    const store = lagBefore(memoryStore({ shape: remembered }));
    await ask(store, "PutItem", { TableName, Item });
    stage.now += INDEX_LAG_MS;
    expect(await indexed(store)).toEqual([Item]);
    await ask(store, "DeleteTable", { TableName });
    await ask(store, "CreateTable", { TableName });
    expect(await indexed(store)).toEqual([]);
  });

  test("keys of a batch that the engine leaves unprocessed are answered by a copy", async () => {
    const engine = memoryStore({ shape: remembered });
    await ask(engine, "PutItem", { TableName, Item });
    const RequestItems = { [TableName]: { Keys: [{ id: Item.id }] }, others: { Keys: [{ id: Item.id }] } };
    const body = { Responses: { [TableName]: [] }, UnprocessedKeys: RequestItems };
    const store = lagBefore(
      async (request) => (request.operation === "BatchGetItem" ? { status: 200, body } : engine(request)),
      {},
    );
    expect(await ask(store, "BatchGetItem", { RequestItems })).toEqual({
      Responses: { [TableName]: [Item] },
      UnprocessedKeys: { others: RequestItems.others },
    });
  });

  test("without a lag no table is copied, and no item is read again", async () => {
    const asked: string[] = [];
    const engine = memoryStore({ shape: remembered });
    const store = stage.lagging(
      (request) => {
        asked.push(request.operation);
        return engine(request);
      },
      { tables: shapesOf(remembered), indexLagMs: 0, eventualLagMs: 0 },
    );
    await ask(store, "PutItem", { TableName, Item });
    expect(await indexed(store)).toEqual([Item]);
    expect(asked).toEqual(["PutItem", "Scan"]);
  });
});
