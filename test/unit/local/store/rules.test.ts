import { describe, expect, test } from "vitest";
import { checkRules, rules } from "../../../../local/store/rules/check-rules.ts";
import { ExpressionScope } from "../../../../local/store/rules/expression-scope.ts";
import type { StoreInput, StoreOperation } from "../../../../local/store/wire.ts";
import { sampleShapes } from "../../../support/rule-samples/rule-samples.ts";

const check = (operation: StoreOperation, input: StoreInput) =>
  checkRules({ operation, input, tables: sampleShapes });

const wide = { TableName: "wide", Key: { pk: { S: "k" }, sk: { S: "s" } } };

test("rules have names of their own, in kebab-case, and say what they demand", () => {
  const names = rules.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, demands, source, operations } of rules) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(demands).toMatch(/\.$/);
    expect(source).not.toBe("");
    expect(operations).not.toEqual([]);
  }
});

describe("legal requests pass", () => {
  test.each<[string, StoreOperation, StoreInput]>([
    ["members that the operation does not know", "GetItem", { ...wide, QueryFilter: {}, Comment: 1 }],
    [
      "legacy parameters of another operation beside an expression",
      "GetItem",
      { ...wide, ProjectionExpression: "a", QueryFilter: {} },
    ],
    [
      "an ARN in place of a table's name",
      "GetItem",
      {
        TableName: "arn:aws:dynamodb:eu-west-1:123456789012:table/wide",
        Key: { pk: { S: "k" } },
      },
    ],
    ["any key of an unknown table", "GetItem", { TableName: "unknown", Key: { a: { N: "1" } } }],
    ["an update without an expression", "UpdateItem", wide],
    ["reading an item's own key in an update", "UpdateItem", { ...wide, UpdateExpression: "SET a = sk" }],
    [
      "an index key from another attribute",
      "UpdateItem",
      { ...wide, UpdateExpression: "SET g = a, h = if_not_exists(h, sk)" },
    ],
    ["removing an index key", "UpdateItem", { ...wide, UpdateExpression: "REMOVE g, h" }],
    [
      "one alias for an expression and its projection",
      "Scan",
      {
        TableName: "wide",
        FilterExpression: "#a = :v",
        ProjectionExpression: "#a",
        ExpressionAttributeNames: { "#a": "a" },
        ExpressionAttributeValues: { ":v": { S: "" } },
      },
    ],
    [
      "an alias of a reserved word, with a dot that is part of it",
      "GetItem",
      { ...wide, ProjectionExpression: "#a.#b", ExpressionAttributeNames: { "#a": "name", "#b": "x.y" } },
    ],
    [
      "an index key with a legal type in a batch",
      "BatchWriteItem",
      { RequestItems: { wide: [{ PutRequest: { Item: { ...wide.Key, g: { S: "g" } } } }] } },
    ],
    [
      "an empty prefix",
      "Query",
      {
        TableName: "wide",
        KeyConditionExpression: "pk = :k AND begins_with(sk, :b)",
        ExpressionAttributeValues: { ":k": { S: "k" }, ":b": { S: "" } },
      },
    ],
    ["a list of tables", "ListTables", {}],
  ])("%s", (_what, operation, input) => {
    expect(check(operation, input)).toBeUndefined();
  });
});

test("an operation is held to its own rules only", () => {
  expect(check("Scan", { TableName: "wide", FilterExpression: "pk = sk" })).toBeUndefined();
  expect(check("GetItem", { ...wide, ReturnValues: "WRONG", Limit: 0 })).toBeUndefined();
});

test("a request that breaks several rules is refused by the first in the list", () => {
  const refusal = check("Scan", { TableName: "wide!", Limit: 0, FilterExpression: "" });
  expect(refusal?.message).toContain("tableName");
});

test("the functions of an update count as operators, those of a condition do not", () => {
  const sums = Array.from({ length: 150 }, (_, index) => `a${index}=if_not_exists(b,c)+d`).join();
  expect(check("UpdateItem", { ...wide, UpdateExpression: `SET ${sums}` })).toBeUndefined();
  expect(check("UpdateItem", { ...wide, UpdateExpression: `SET ${sums},z=b+c` })?.message).toBe(
    "Invalid UpdateExpression: The expression contains too many operators; operator count: 301",
  );
  const calls = Array.from({ length: 150 }, () => "contains(a,b)").join(" OR ");
  expect(check("Scan", { TableName: "plain", FilterExpression: calls })).toBeUndefined();
});

describe("texts of expressions", () => {
  const read = (text: string) =>
    new ExpressionScope({ FilterExpression: text }, undefined, ["FilterExpression"]).expressions[0];

  test("are parsed once, wrong ones included", () => {
    for (const text of [`a = :${"v".repeat(4_091)}`, "a = = b"]) expect(read(text)).toBe(read(text));
  });

  test("are not kept beyond 4,096 bytes, which the rules refuse", () => {
    for (const text of [`a = :${"v".repeat(4_092)}`, `a = ${"é".repeat(2_047)}`]) {
      expect(read(text)?.tree).toBeUndefined();
      expect(read(text)).not.toBe(read(text));
    }
  });

  test("are kept up to 1,000 of them, and up to 250,000 characters", () => {
    const isForgottenAfter = (count: number, length: number): boolean => {
      const first = read("first = :v");
      for (let at = 0; at < count; at += 1) read(`a${at} = :`.padEnd(length, "v"));
      return read("first = :v") !== first;
    };
    expect(isForgottenAfter(1_001, 12)).toBe(true);
    expect(isForgottenAfter(70, 4_000)).toBe(true);
    expect(isForgottenAfter(20, 12)).toBe(false);
  });
});
