import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { classifyStoreFailure } from "../../../../lib/dynamo/store-failure.ts";
import { throttling } from "../../../../local/store/behaviour/throttling.ts";
import type { TableShape } from "../../../../local/store/table-shape.ts";
import {
  exceptionOf,
  type StoreAnswer,
  type StoreHandler,
  type StoreInput,
} from "../../../../local/store/wire.ts";
import { describeEachEngine } from "../../../support/each-engine.ts";
import { clientOver } from "../../../support/faulty-store.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { ask, makeTable, plainShape, shapesOf, sortedTable } from "../../../support/store-handler.ts";

const key = (sk: string, pk = "p") => ({ pk: { S: pk }, sk: { S: sk } });
const withIndex = (name: string): StoreInput => ({
  ...sortedTable(name),
  AttributeDefinitions: ["pk", "sk", "colour"].map((AttributeName) => ({
    AttributeName,
    AttributeType: "S",
  })),
  GlobalSecondaryIndexes: [
    {
      IndexName: "by-colour",
      KeySchema: [{ AttributeName: "colour", KeyType: "HASH" }],
      Projection: { ProjectionType: "ALL" },
    },
  ],
});
const reasonsOf = ({ body }: StoreAnswer) =>
  (body.throttlingReasons as { reason: string; resource: string }[]).map(
    ({ reason, resource }) => `${reason} ${resource}`,
  );
const ARN = "arn:aws:dynamodb:eu-west-1:000000000000:table";

describeEachEngine("throttling before %s", (raw) => {
  let store: StoreHandler;
  let shape: TableShape;
  let TableName: string;
  let now: number;
  let tables = 0;

  beforeEach(async () => {
    TableName = `things-${++tables}`;
    now = 1_000_000;
    shape = await makeTable(raw, withIndex(TableName));
    store = throttling({
      engine: raw,
      tables: shapesOf(shape),
      clock: () => now,
      capacity: { readUnitsPerS: 4, writeUnitsPerS: 4, burstMs: 0 },
    });
  });

  const put = (sk: string, more = {}) =>
    store({ operation: "PutItem", input: { TableName, Item: { ...key(sk), ...more } } });
  const get = (sk: string, ConsistentRead = true) =>
    store({ operation: "GetItem", input: { TableName, Key: key(sk), ConsistentRead } });
  const untilRefused = async (request: () => Promise<StoreAnswer>): Promise<number> => {
    let count = 0;
    for (; count < 50 && exceptionOf(await request()) !== "ThrottlingException"; count += 1);
    return count;
  };
  const padded = (bytes: number) => ({ note: { S: "x".repeat(bytes) } });

  test("a write beyond the units is refused without effect, by an error that the SDK and the stores understand", async () => {
    for (const sk of ["a", "b", "c", "d"]) expect((await put(sk)).status).toBe(200);
    const answer = await put("e");
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain("DynamoDB is automatically scaling your table or index");
    expect(reasonsOf(answer)).toEqual([`TableWriteKeyRangeThroughputExceeded ${ARN}/${TableName}`]);
    expect(await ask(raw, "GetItem", { TableName, Key: key("e"), ConsistentRead: true })).not.toHaveProperty(
      "Item",
    );
    const client = clientOver(() => ({ status: answer.status, body: JSON.stringify(answer.body) }));
    const sent = client.send(new PutItemCommand({ TableName, Item: key("e") }));
    expect(await sent.catch(classifyStoreFailure)).toBe("throttled-key");
  });

  test("after a quarter of a second, one of four units is back", async () => {
    expect(await untilRefused(() => put("a"))).toBe(4);
    now += 250;
    expect(await untilRefused(() => put("a"))).toBe(1);
  });

  test.each([
    ["of 1 KB takes one unit", 1_024 - 4 - 6, 4],
    ["of one byte more takes two", 1_025 - 4 - 6, 2],
  ])("a write %s", async (_, bytes, count) => {
    expect(await untilRefused(() => put("a", padded(bytes)))).toBe(count);
  });

  test("a write over a bigger item is charged for the bigger one", async () => {
    await ask(raw, "PutItem", { TableName, Item: { ...key("a"), ...padded(1_500) } });
    await put("a");
    expect(await untilRefused(() => put("a"))).toBe(2);
  });

  test("a write that fails its condition takes units, and an invalid one does not", async () => {
    const Item = key("a");
    const failing = { TableName, Item, ConditionExpression: "attribute_exists(pk)" };
    const invalid = { TableName, Item, ConditionExpression: "nonsense(" };
    for (let round = 0; round < 9; round += 1)
      expect(exceptionOf(await store({ operation: "PutItem", input: invalid }))).toBe("ValidationException");
    expect(await untilRefused(() => store({ operation: "PutItem", input: failing }))).toBe(4);
  });

  test.each([
    ["strong read of 4 KB takes one unit", true, 4_096 - 10, 4],
    ["strong read of one byte more takes two", true, 4_097 - 10, 2],
    ["eventual read takes half of that", false, 4_097 - 10, 4],
  ])("a %s", async (_, isStrong, bytes, count) => {
    await ask(raw, "PutItem", { TableName, Item: { ...key("a"), ...padded(bytes) } });
    expect(await untilRefused(() => get("a", isStrong))).toBe(count);
    expect(reasonsOf(await get("a"))).toEqual([`TableReadKeyRangeThroughputExceeded ${ARN}/${TableName}`]);
  });

  test("writes of an index take the index's units, and an exhausted index refuses writes of its table", async () => {
    const coloured = (sk: string, pk: string) =>
      store({ operation: "PutItem", input: { TableName, Item: { ...key(sk, pk), colour: { S: "red" } } } });
    let count = 0;
    expect(await untilRefused(() => coloured("a", String(count++)))).toBe(4);
    const answer = await coloured("a", "another");
    expect(reasonsOf(answer)).toEqual([
      `IndexWriteKeyRangeThroughputExceeded ${ARN}/${TableName}/index/by-colour`,
    ]);
    expect(answer.body.message).toContain("one or more global secondary indexes");
    const plain = { TableName, Item: key("a", "yet another") };
    expect((await store({ operation: "PutItem", input: plain })).status).toBe(200);
  });

  test("a query is refused when its partition has no units left, and one of an index by the index's units", async () => {
    await ask(raw, "PutItem", { TableName, Item: { ...key("a"), colour: { S: "red" }, ...padded(3_000) } });
    const where = (name: string, S: string) => ({
      KeyConditionExpression: `${name} = :v`,
      ExpressionAttributeValues: { ":v": { S } },
    });
    const byKey = { ConsistentRead: true, ...where("pk", "p") };
    const byColour = { IndexName: "by-colour", ...where("colour", "red") };
    const query = (input: StoreInput) => store({ operation: "Query", input: { TableName, ...input } });
    expect(await untilRefused(() => query(byKey))).toBe(4);
    expect(await untilRefused(() => query(byColour))).toBe(8);
    expect(reasonsOf(await query(byColour))).toEqual([
      `IndexReadKeyRangeThroughputExceeded ${ARN}/${TableName}/index/by-colour`,
    ]);
  });

  test("an answer reports the consumed units only when the request asks for them", async () => {
    await put("a");
    expect((await get("a")).body).toEqual({ Item: key("a") });
    const asked = { TableName, Key: key("a"), ReturnConsumedCapacity: "TOTAL" };
    expect((await ask(store, "GetItem", asked)).ConsumedCapacity).toMatchObject({ CapacityUnits: 0.5 });
  });

  test("a batch of writes does the admitted parts and leaves the rest", async () => {
    const writes = ["a", "b", "c", "d", "e", "f"].map((sk) => ({ PutRequest: { Item: key(sk) } }));
    const ofTable = (parts: readonly object[]) => ({ RequestItems: { [TableName]: parts } });
    const { UnprocessedItems } = await ask(store, "BatchWriteItem", ofTable(writes));
    expect(UnprocessedItems).toEqual({ [TableName]: writes.slice(4) });
    expect((await ask(raw, "Scan", { TableName })).Items).toHaveLength(4);
    const input = ofTable([{ DeleteRequest: { Key: key("a") } }]);
    expect(exceptionOf(await store({ operation: "BatchWriteItem", input }))).toBe("ThrottlingException");
  });

  test("a batch of reads does the admitted parts and leaves the rest, with the options of the request", async () => {
    await Promise.all(["a", "b", "c"].map((sk) => ask(raw, "PutItem", { TableName, Item: key(sk) })));
    for (const _ of [1, 2, 3]) await get("a");
    const part = { Keys: ["a", "b", "c", "d"].map((sk) => key(sk)), ConsistentRead: true };
    const input = { RequestItems: { [TableName]: part } };
    const { Responses, UnprocessedKeys } = await ask(store, "BatchGetItem", input);
    expect((Responses as Record<string, unknown[]>)[TableName]).toHaveLength(2);
    expect(UnprocessedKeys).toEqual({ [TableName]: { ...part, Keys: part.Keys.slice(2) } });
    expect(exceptionOf(await store({ operation: "BatchGetItem", input }))).toBe("ThrottlingException");
  });

  test("a batch takes the units that its items consume, and no more", async () => {
    const writes = ["a", "b"].map((sk) => ({ PutRequest: { Item: key(sk) } }));
    await ask(store, "BatchWriteItem", { RequestItems: { [TableName]: writes } });
    expect(await untilRefused(() => put("c"))).toBe(2);
    const part = { Keys: [key("a"), key("b")], ConsistentRead: true };
    await ask(store, "BatchGetItem", { RequestItems: { [TableName]: part } });
    expect(await untilRefused(() => get("c"))).toBe(2);
  });

  test("the engine judges a batch that is admitted as a whole", async () => {
    const input = { RequestItems: { [TableName]: [{ PutRequest: { Item: key("a") } }], nowhere: null } };
    expect(await store({ operation: "BatchWriteItem", input })).toEqual(
      await raw({ operation: "BatchWriteItem", input }),
    );
  });
});

describe("the units of requests under way", () => {
  const shape = plainShape("remembered", "id");
  const Item = { id: { S: "a" } };
  const put = { operation: "PutItem", input: { TableName: shape.name, Item } } as const;
  const capacity = { writeUnitsPerS: 4, burstMs: 0 };
  const options = { tables: shapesOf(shape), clock: () => 0, capacity };

  test("are not shared by concurrent requests", async () => {
    const store = throttling({ engine: memoryStore({ shape }), ...options });
    const answers = await Promise.all(Array.from({ length: 20 }, () => store(put)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  });

  test("are those that concurrent big writes are known to consume", async () => {
    const store = throttling({ engine: memoryStore({ shape }), ...options });
    const big = { ...put.input, Item: { ...Item, note: { S: "x".repeat(3_000) } } };
    const twenty = Array.from({ length: 20 }, () => store({ operation: "PutItem", input: big }));
    const answers = await Promise.all(twenty);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  test("are given back by a request that breaks off", async () => {
    const engine = memoryStore({ shape });
    let isDown = true;
    const store = throttling({
      engine: (request) =>
        isDown && request.operation === "PutItem" ? Promise.reject(new Error("down")) : engine(request),
      ...options,
    });
    for (let round = 0; round < 9; round += 1) await expect(store(put)).rejects.toThrow("down");
    isDown = false;
    expect((await store(put)).status).toBe(200);
  });

  test("are all available again after a table is deleted and created again", async () => {
    const store = throttling({ engine: memoryStore({ shape }), ...options });
    for (let round = 0; round < 5; round += 1) await store(put);
    await ask(store, "DeleteTable", { TableName: shape.name });
    expect((await store(put)).status).toBe(200);
  });
});
