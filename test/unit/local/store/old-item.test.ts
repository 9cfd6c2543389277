import { ConditionalCheckFailedException, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writesInTurn } from "../../../../local/store/behaviour/writes-in-turn.ts";
import type { TableShape } from "../../../../local/store/table-shape.ts";
import {
  refusalAnswer,
  type StoreAnswer,
  type StoreHandler,
  type StoreRequest,
} from "../../../../local/store/wire.ts";
import { installedEngines, type RawEngine, startRawEngine } from "../../../support/engine.ts";
import { clientOver } from "../../../support/faulty-store.ts";
import { ask, makeTable, shapesOf, sortedTable } from "../../../support/store-handler.ts";

const conditionFailed = refusalAnswer({
  code: "ConditionalCheckFailedException",
  message: "The conditional request failed",
});
const Key = { pk: { S: "a" }, sk: { S: "b" } };
const Item = { ...Key, count: { N: "1" }, bytes: { B: "AAE=" }, words: { SS: ["x"] } };
const failing = {
  TableName: "things",
  ConditionExpression: "attribute_not_exists(pk)",
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
};
const update = {
  Key,
  UpdateExpression: "SET #count = :two",
  ExpressionAttributeNames: { "#count": "count" },
  ExpressionAttributeValues: { ":two": { N: "2" } },
};

describe.each(installedEngines)("a failed condition on %s", (kind) => {
  let engine: RawEngine;
  let store: StoreHandler;
  beforeAll(async () => {
    engine = await startRawEngine(kind);
    const raw = engine.handle;
    store = writesInTurn({
      engine: raw,
      tables: shapesOf(await makeTable(raw, sortedTable("things"))),
    });
    await ask(store, "PutItem", { TableName: "things", Item });
  });
  afterAll(() => engine.close());

  test.each([
    ["PutItem", { Item }],
    ["UpdateItem", update],
    ["DeleteItem", { Key }],
  ] as const)("%s returns the stored item when the request asks for it", async (operation, input) => {
    const answer = await store({ operation, input: { ...failing, ...input } });
    expect(answer).toEqual({ ...conditionFailed, body: { ...conditionFailed.body, Item } });
  });

  test("the SDK reads the item from the answer", async () => {
    const { status, body } = await store({ operation: "UpdateItem", input: { ...failing, ...update } });
    const client = clientOver(() => ({ status, body: JSON.stringify(body) }));
    const error = await client
      .send(new UpdateItemCommand({ TableName: "things", Key }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect((error as ConditionalCheckFailedException).Item).toMatchObject({
      ...Key,
      bytes: { B: Uint8Array.of(0, 1) },
    });
  });

  test("no item is returned when the request asks for none, or none is stored", async () => {
    const { ReturnValuesOnConditionCheckFailure: _, ...silent } = failing;
    expect(await store({ operation: "DeleteItem", input: { ...silent, Key } })).toEqual(conditionFailed);
    const absent = {
      ...failing,
      Key: { ...Key, sk: { S: "c" } },
      ConditionExpression: "attribute_exists(pk)",
    };
    expect(await store({ operation: "DeleteItem", input: absent })).toEqual(conditionFailed);
  });
});

const numbered: TableShape = {
  name: "numbered",
  partition: { name: "n", type: "N" },
  sort: undefined,
  indexes: [],
};

/** An engine with one item, which leaves the item out when a condition fails; `log` lists its operations in order. */
function engineOfOne() {
  const log: string[] = [];
  let stored: unknown = { n: { N: "1" }, by: { S: "first" } };
  const engine = async ({ operation, input }: StoreRequest): Promise<StoreAnswer> => {
    log.push(operation);
    if (operation === "GetItem") return { status: 200, body: { Item: stored } };
    if (input.ConditionExpression !== undefined) return conditionFailed;
    stored = { n: { N: "1" }, by: { S: "second" } };
    return { status: 200, body: {} };
  };
  return { engine, log };
}

describe("the item of a failed condition is the one that failed it", () => {
  test.each([
    ["PutItem", { TableName: "numbered", Item: { n: { N: "1.0" } } }],
    ["UpdateItem", { TableName: "numbered", Key: { n: { N: "10e-1" } } }],
    ["DeleteItem", { TableName: "numbered", Key: { n: { N: "+01" } } }],
    ["BatchWriteItem", { RequestItems: { numbered: [{ PutRequest: { Item: { n: { N: "1" } } } }] } }],
    ["BatchWriteItem", { RequestItems: { numbered: [{ DeleteRequest: { Key: { n: { N: "1" } } } }] } }],
  ] as const)("a %s of the same item waits for the failed write", async (operation, input) => {
    const { engine, log } = engineOfOne();
    const store = writesInTurn({ engine, tables: shapesOf(numbered) });
    const conditional = store({
      operation: "DeleteItem",
      input: { ...failing, TableName: "numbered", Key: { n: { N: "1" } } },
    });
    const other = store({ operation, input });
    expect((await conditional).body.Item).toEqual({ n: { N: "1" }, by: { S: "first" } });
    await other;
    expect(log).toEqual(["DeleteItem", "GetItem", operation]);
  });

  test("writes of other items do not wait", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const engine = async ({ input }: StoreRequest): Promise<StoreAnswer> => {
      if ((input.Key as typeof numberKey).n.N === "1") await held;
      return { status: 200, body: {} };
    };
    const numberKey = { n: { N: "1" } };
    const store = writesInTurn({ engine, tables: shapesOf(numbered) });
    const first = store({ operation: "DeleteItem", input: { TableName: "numbered", Key: numberKey } });
    await store({ operation: "DeleteItem", input: { TableName: "numbered", Key: { n: { N: "-1" } } } });
    await store({ operation: "DeleteItem", input: { TableName: "numbered", Key: { n: { N: "10" } } } });
    release();
    expect((await first).status).toBe(200);
  });

  test("a write that fails in the engine does not keep the others waiting", async () => {
    const answers = [Promise.reject(new Error("gone")), Promise.resolve({ status: 200, body: {} })];
    const store = writesInTurn({
      engine: () => answers.shift() as Promise<StoreAnswer>,
      tables: shapesOf(numbered),
    });
    const input = { TableName: "numbered", Key: { n: { N: "1" } } };
    const first = store({ operation: "DeleteItem", input });
    const second = store({ operation: "DeleteItem", input });
    await expect(first).rejects.toThrow("gone");
    expect((await second).status).toBe(200);
  });
});
