import { ConditionalCheckFailedException, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WireItem } from "../../../../local/store/behaviour/touched-items.ts";
import { writesInTurn } from "../../../../local/store/behaviour/writes-in-turn.ts";
import type { TableShape } from "../../../../local/store/table-shape.ts";
import {
  exceptionOf,
  refusalAnswer,
  type StoreAnswer,
  type StoreHandler,
  type StoreRequest,
} from "../../../../local/store/wire.ts";
import { describeEachEngine } from "../../../support/each-engine.ts";
import { clientOver } from "../../../support/faulty-store.ts";
import { ask, makeTable, shapesOf, sortedTable } from "../../../support/store-handler.ts";

const TableName = "things";
/** A value of so many levels. */
const nested = (levels: number): object => (levels === 1 ? { S: "x" } : { L: [nested(levels - 1)] });
const conditionFailed = refusalAnswer({
  code: "ConditionalCheckFailedException",
  message: "The conditional request failed",
});
const Key = { pk: { S: "a" }, sk: { S: "b" } };
const Item = { ...Key, count: { N: "1" }, bytes: { B: "AAE=" }, words: { SS: ["x"] } };
const failing = {
  TableName,
  ConditionExpression: "attribute_not_exists(pk)",
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
};
const setTwo = {
  Key,
  UpdateExpression: "SET #count = :two",
  ExpressionAttributeNames: { "#count": "count" },
  ExpressionAttributeValues: { ":two": { N: "2" } },
};

describeEachEngine("on %s", (engine) => {
  let store: StoreHandler;
  beforeAll(async () => {
    store = writesInTurn(engine, shapesOf(await makeTable(engine, sortedTable(TableName))));
  });

  describe("a failed condition", () => {
    beforeEach(() => ask(store, "PutItem", { TableName, Item }));

    test.each([
      ["PutItem", { Item }],
      ["UpdateItem", setTwo],
      ["DeleteItem", { Key }],
    ] as const)("%s returns the stored item when the request asks for it", async (operation, input) => {
      const answer = await store({ operation, input: { ...failing, ...input } });
      expect(answer).toEqual({ ...conditionFailed, body: { ...conditionFailed.body, Item } });
    });

    test("the SDK reads the item from the answer", async () => {
      const { status, body } = await store({ operation: "UpdateItem", input: { ...failing, ...setTwo } });
      const client = clientOver(() => ({ status, body: JSON.stringify(body) }));
      const error = await client
        .send(new UpdateItemCommand({ TableName, Key }))
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

  describe("an item after an update", () => {
    beforeEach(() => ask(store, "DeleteItem", { TableName, Key }));

    const put = (attributes: WireItem) =>
      ask(store, "PutItem", { TableName, Item: { ...Key, ...attributes } });
    const item = async () => (await ask(store, "GetItem", { TableName, Key, ConsistentRead: true })).Item;
    const update = async (UpdateExpression: string, values?: object) => {
      const ExpressionAttributeValues = values && { ExpressionAttributeValues: values };
      const input = { TableName, Key, UpdateExpression, ...ExpressionAttributeValues };
      return exceptionOf(await store({ operation: "UpdateItem", input }));
    };

    test.each(["SET n = n + :n", "SET n = :n + n", "ADD n :n"])(
      "%s: a sum has at most 38 digits",
      async (sum) => {
        await put({ n: { N: "0.1" } });
        expect(await update(sum, { ":n": { N: "1E36" } })).toBeUndefined();
        await put({ n: { N: "0.1" } });
        expect(await update(sum, { ":n": { N: "1E37" } })).toBe("ValidationException");
        expect(await item()).toEqual({ ...Key, n: { N: "0.1" } });
      },
    );

    test("a sum is less than 1E126", async () => {
      await put({ n: { N: "9E125" } });
      expect(await update("ADD n :n", { ":n": { N: "9E125" } })).toBe("ValidationException");
    });

    test("an item that did not exist does not exist after a refused update", async () => {
      const long = { ":n": { N: "0.1" }, ":m": { N: "1E37" } };
      expect(await update("SET n = :n + :m", long)).toBe("ValidationException");
      expect(await item()).toBeUndefined();
    });

    test("a value has at most 32 levels, however an update builds it", async () => {
      await put({
        fit: nested(31) as WireItem[string],
        unfit: nested(32) as WireItem[string],
        around: { L: [] },
      });
      expect(await update("SET around[0] = fit")).toBeUndefined();
      expect(await update("SET around[0] = unfit")).toBe("ValidationException");
    });

    test("concurrent writes of the same item are not undone with a refused one", async () => {
      await put({ n: { N: "0.1" } });
      const answers = await Promise.all([
        update("ADD n :n", { ":n": { N: "1E37" } }),
        update("SET note = :s", { ":s": { S: "kept" } }),
        update("ADD n :n", { ":n": { N: "1" } }),
      ]);
      expect(answers).toEqual(["ValidationException", undefined, undefined]);
      expect(await item()).toEqual({ ...Key, n: { N: "1.1" }, note: { S: "kept" } });
    });
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
    const store = writesInTurn(engine, shapesOf(numbered));
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
    const store = writesInTurn(engine, shapesOf(numbered));
    const first = store({ operation: "DeleteItem", input: { TableName: "numbered", Key: numberKey } });
    await store({ operation: "DeleteItem", input: { TableName: "numbered", Key: { n: { N: "-1" } } } });
    await store({ operation: "DeleteItem", input: { TableName: "numbered", Key: { n: { N: "10" } } } });
    release();
    expect((await first).status).toBe(200);
  });

  test("a write that fails in the engine does not keep the others waiting", async () => {
    const answers = [Promise.reject(new Error("gone")), Promise.resolve({ status: 200, body: {} })];
    const store = writesInTurn(() => answers.shift() as Promise<StoreAnswer>, shapesOf(numbered));
    const input = { TableName: "numbered", Key: { n: { N: "1" } } };
    const first = store({ operation: "DeleteItem", input });
    const second = store({ operation: "DeleteItem", input });
    await expect(first).rejects.toThrow("gone");
    expect((await second).status).toBe(200);
  });
});
