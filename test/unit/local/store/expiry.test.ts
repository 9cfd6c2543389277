import { beforeEach, expect, test } from "vitest";
import { expiring } from "../../../../local/store/behaviour/expiry.ts";
import { exceptionOf, type StoreHandler, type StoreOperation } from "../../../../local/store/wire.ts";
import { describeEachEngine } from "../../../support/each-engine.ts";
import { ask, makeTable, shapesOf, sortedTable } from "../../../support/store-handler.ts";

const NOW_S = 1_767_225_600;
const FIVE_YEARS_S = 5 * 365 * 86_400;
const key = (sk: string) => ({ pk: { S: "p" }, sk: { S: sk } });
const item = (sk: string, x: object = { N: String(NOW_S) }) => ({ ...key(sk), x, note: { S: "old" } });

describeEachEngine("expiry before %s", (raw) => {
  let store: StoreHandler;
  let nowMs: number;
  let TableName: string;
  let tables = 0;

  beforeEach(async () => {
    TableName = `things-${++tables}`;
    const shape = await makeTable(raw, {
      ...sortedTable(TableName),
      GlobalSecondaryIndexes: [
        {
          IndexName: "by-sk",
          KeySchema: [{ AttributeName: "sk", KeyType: "HASH" }],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
    });
    nowMs = NOW_S * 1_000;
    const expiresAt = (name: string) => (name === TableName ? "x" : undefined);
    store = expiring({ engine: raw, tables: shapesOf(shape), expiresAt, clock: () => nowMs });
  });

  const put = (thing: object) => ask(store, "PutItem", { TableName, Item: thing });
  const get = async (sk: string) => (await ask(store, "GetItem", { TableName, Key: key(sk) })).Item;
  const byPartition = {
    KeyConditionExpression: "pk = :p",
    ExpressionAttributeValues: { ":p": { S: "p" } },
  };

  test("an item is there in the millisecond of its expiry, and gone in the next", async () => {
    await put(item("a"));
    expect(await get("a")).toEqual(item("a"));
    nowMs += 1;
    expect(await get("a")).toBeUndefined();
  });

  test.each<[StoreOperation, object, (answer: Record<string, unknown>) => unknown]>([
    ["GetItem", { Key: key("a") }, ({ Item }) => (Item === undefined ? 0 : 1)],
    ["Query", byPartition, ({ Count }) => Count],
    ["Query", { ...byPartition, Select: "COUNT" }, ({ ScannedCount }) => ScannedCount],
    ["Scan", {}, ({ Count }) => Count],
    ["Scan", { IndexName: "by-sk" }, ({ Count }) => Count],
    ["Scan", { ProjectionExpression: "note" }, ({ Items }) => (Items as unknown[]).length],
  ])("a %s with %j finds no expired item", async (operation, input, countOf) => {
    await put(item("a"));
    expect(countOf(await ask(store, operation, { TableName, ...input }))).toBe(1);
    nowMs += 1;
    expect(countOf(await ask(store, operation, { TableName, ...input }))).toBe(0);
  });

  test("a batch finds no expired item", async () => {
    await Promise.all([put(item("a")), put(item("b", { N: String(NOW_S + 1) }))]);
    nowMs += 1;
    const part = { Keys: [key("a"), key("b")] };
    const { Responses } = await ask(store, "BatchGetItem", { RequestItems: { [TableName]: part } });
    expect(Responses).toEqual({ [TableName]: [item("b", { N: String(NOW_S + 1) })] });
  });

  test("a write finds nothing in the place of an expired item", async () => {
    await put(item("a"));
    nowMs += 1;
    const { Attributes } = await ask(store, "UpdateItem", {
      TableName,
      Key: key("a"),
      UpdateExpression: "SET seen = :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
      ConditionExpression: "attribute_not_exists(note)",
      ReturnValues: "ALL_NEW",
    });
    expect(Attributes).toEqual({ ...key("a"), seen: { N: "1" } });
  });

  test("a condition on an expired item fails, and returns no item", async () => {
    await put(item("a"));
    nowMs += 1;
    const ReturnValuesOnConditionCheckFailure = "ALL_OLD";
    const failing = { ConditionExpression: "attribute_exists(pk)", ReturnValuesOnConditionCheckFailure };
    const input = { TableName, Key: key("a"), ...failing };
    const answer = await store({ operation: "DeleteItem", input });
    expect(exceptionOf(answer)).toBe("ConditionalCheckFailedException");
    expect(answer.body.Item).toBeUndefined();
  });

  test.each([
    ["without the attribute", {}],
    ["whose attribute is a text", { x: { S: "1" } }],
    ["whose attribute is a set of numbers", { x: { NS: ["1"] } }],
    ["that expires later", { x: { N: String(NOW_S + 2) } }],
    ["whose attribute is in milliseconds", { x: { N: String(NOW_S * 1_000) } }],
    ["that expired more than five years ago", { x: { N: String(NOW_S + 1 - FIVE_YEARS_S - 1) } }],
  ])("an item %s stays", async (_, more) => {
    nowMs = (NOW_S + 1) * 1_000;
    const stays = { ...key("a"), ...more };
    await put(stays);
    expect(await get("a")).toEqual(stays);
    expect((await ask(store, "Scan", { TableName })).Items).toEqual([stays]);
  });

  test("an item that expired five years ago is gone", async () => {
    await put(item("a", { N: String(NOW_S - FIVE_YEARS_S) }));
    expect(await get("a")).toBeUndefined();
  });

  test("a sweep goes through all pages", async () => {
    const note = { S: "x".repeat(60_000) };
    await Promise.all(Array.from({ length: 40 }, (_, at) => put({ ...item(String(at)), note })));
    nowMs += 1;
    await ask(store, "Scan", { TableName, Limit: 1 });
    expect((await ask(raw, "Scan", { TableName, Select: "COUNT" })).Count).toBe(0);
  });

  test("a table without an expiry attribute keeps every item", async () => {
    const other = `others-${tables}`;
    await makeTable(raw, sortedTable(other));
    nowMs += 1;
    await ask(store, "PutItem", { TableName: other, Item: item("a", { N: "1" }) });
    expect((await ask(store, "Scan", { TableName: other })).Count).toBe(1);
  });
});
