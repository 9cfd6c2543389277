import { describe, expect, test } from "vitest";
import { keyOf, touchedItems } from "../../../../local/store/behaviour/touched-items.ts";
import type { TableShape } from "../../../../local/store/table-shape.ts";
import type { StoreOperation } from "../../../../local/store/wire.ts";
import { shapesOf } from "../../../support/store-handler.ts";

const table: TableShape = {
  name: "things",
  partition: { name: "n", type: "N" },
  sort: { name: "b", type: "B" },
  indexes: [],
};
const key = (n: string, b: string) => ({ n: { N: n }, b: { B: b } });
const touched = (operation: StoreOperation, input: Record<string, unknown>) =>
  touchedItems({ operation, input }, shapesOf(table));
const idOf = (n: string, b = "AAE=") =>
  touched("GetItem", { TableName: "things", Key: key(n, b) }).map(({ id }) => id)[0];

describe("an item is identified by its key", () => {
  test.each([
    ["1", "1.0"],
    ["1", "+01"],
    ["1", "10e-1"],
    ["-150", "-1.5E+2"],
    ["0", "-0.000"],
    ["0.001", ".1e-2"],
    ["12345678901234567890123456789012345678", "12345678901234567890123456789012345678.0"],
  ])("%s is the number %s", (one, other) => {
    expect(idOf(one)).toBe(idOf(other));
  });

  test.each([
    ["1", "10"],
    ["1", "-1"],
    ["0.1", "0.01"],
    ["101", "11"],
    ["12345678901234567890123456789012345678", "12345678901234567890123456789012345679"],
  ])("%s is not the number %s", (one, other) => {
    expect(idOf(one)).not.toBe(idOf(other));
  });

  test("binary values are equal however their last character of Base64 is spelled", () => {
    expect(idOf("1", "AAF=")).toBe(idOf("1", "AAE="));
    expect(idOf("1", "AAI=")).not.toBe(idOf("1", "AAE="));
  });

  test("attributes beside the key are not part of it", () => {
    expect(keyOf(table, { ...key("1", "AA=="), other: { S: "x" } })).toEqual(key("1", "AA=="));
  });
});

describe("every operation names its items", () => {
  const one = key("1", "AA==");
  test.each<[StoreOperation, Record<string, unknown>]>([
    ["PutItem", { TableName: "things", Item: { ...one, more: { S: "x" } } }],
    ["GetItem", { TableName: "things", Key: one }],
    ["UpdateItem", { TableName: "things", Key: one }],
    ["DeleteItem", { TableName: "things", Key: one }],
    ["BatchGetItem", { RequestItems: { things: { Keys: [one] } } }],
    ["BatchWriteItem", { RequestItems: { things: [{ PutRequest: { Item: one } }] } }],
    ["BatchWriteItem", { RequestItems: { things: [{ DeleteRequest: { Key: one } }] } }],
  ])("%s", (operation, input) => {
    expect(touched(operation, input)).toEqual([{ tableName: "things", key: one, id: idOf("1", "AA==") }]);
  });

  test.each<[StoreOperation, Record<string, unknown>]>([
    ["Query", { TableName: "things" }],
    ["ListTables", {}],
    ["GetItem", { TableName: "things" }],
    ["GetItem", { TableName: "things", Key: { n: { N: "1" } } }],
    ["GetItem", { TableName: "things", Key: { n: { S: "1" }, b: { B: "AA==" } } }],
    ["GetItem", { TableName: "others", Key: key("1", "AA==") }],
    ["GetItem", { TableName: 1, Key: null }],
    ["BatchGetItem", { RequestItems: { things: null } }],
    ["BatchWriteItem", { RequestItems: { things: [null, {}, { PutRequest: {} }] } }],
    ["BatchWriteItem", { RequestItems: null }],
  ])("a %s that names no item touches none: %j", (operation, input) => {
    expect(touched(operation, input)).toEqual([]);
  });
});
