import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WireItem } from "../../../../local/store/behaviour/touched-items.ts";
import { writesInTurn } from "../../../../local/store/behaviour/writes-in-turn.ts";
import { exceptionOf, type StoreHandler } from "../../../../local/store/wire.ts";
import { installedEngines, type RawEngine, startRawEngine } from "../../../support/engine.ts";
import { ask, makeTable, shapesOf, sortedTable } from "../../../support/store-handler.ts";

const TableName = "things";
const Key = { pk: { S: "a" }, sk: { S: "b" } };
const nested = (levels: number): object => (levels === 1 ? { S: "x" } : { L: [nested(levels - 1)] });

describe.each(installedEngines)("an item after an update, on %s", (kind) => {
  let engine: RawEngine;
  let store: StoreHandler;
  beforeAll(async () => {
    engine = await startRawEngine(kind);
    const tables = shapesOf(await makeTable(engine.handle, sortedTable(TableName)));
    store = writesInTurn({ engine: engine.handle, tables });
  });
  afterAll(() => engine.close());
  beforeEach(() => ask(store, "DeleteItem", { TableName, Key }));

  const put = (attributes: WireItem) => ask(store, "PutItem", { TableName, Item: { ...Key, ...attributes } });
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
