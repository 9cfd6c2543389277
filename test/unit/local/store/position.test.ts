import { describe, expect, test } from "vitest";
import { positionOf, startOf } from "../../../../local/store/behaviour/position.ts";
import type { KeyKind, KeyShape } from "../../../../local/store/table-shape.ts";

const shape = (type: KeyKind): KeyShape => ({
  partition: { name: "pk", type: "S" },
  sort: { name: "sk", type },
});
const at = (type: KeyKind, sort: string) => positionOf(shape(type), { pk: { S: "p" }, sk: { [type]: sort } });

describe("the position of an item", () => {
  test.each<[KeyKind, readonly string[]]>([
    ["S", ["", "a", "aa", "b"]],
    ["N", ["-1e30", "-20", "-3", "-0.5", "0", "0.5", "3", "20", "1e30"]],
    ["B", ["", "AA==", "AAA=", "AAE=", "/w=="]],
  ])("sorts as its sort key of type %s does", (type, sorted) => {
    const positions = sorted.map((sort) => at(type, sort));
    expect(positions.toSorted()).toEqual(positions);
    expect(new Set(positions).size).toBe(sorted.length);
  });

  test("is the same for two spellings of a partition key", () => {
    const table = (type: KeyKind): KeyShape => ({ partition: { name: "pk", type }, sort: undefined });
    expect(positionOf(table("N"), { pk: { N: "1.0" } })).toBe(positionOf(table("N"), { pk: { N: "1" } }));
    expect(positionOf(table("N"), { pk: { N: "10" } })).not.toBe(positionOf(table("N"), { pk: { N: "1" } }));
  });

  test("is scattered over all partitions by its partition key", () => {
    const table: KeyShape = { partition: { name: "pk", type: "S" }, sort: undefined };
    const digits = Array.from({ length: 400 }, (_, n) => positionOf(table, { pk: { S: `key-${n}` } })[0]);
    expect(new Set(digits).size).toBe(16);
  });
});

describe("a query begins", () => {
  const query = {
    KeyConditionExpression: "#p = :p AND sk BETWEEN :from AND :to",
    ExpressionAttributeNames: { "#p": "pk" },
    ExpressionAttributeValues: { ":p": { S: "p" }, ":from": { S: "a" }, ":to": { S: "b" } },
  };
  const items = ["", "a", "zzz"].map((sort) => at("S", sort));

  test("at the first item of its partition key, or at the last one", () => {
    const first = startOf(shape("S"), query);
    const last = startOf(shape("S"), { ...query, ScanIndexForward: false });
    expect([...items, last].toSorted()).toEqual([...items, last]);
    expect(items[0]?.startsWith(first)).toBe(true);
    expect(first <= (items[0] as string)).toBe(true);
  });

  test("at its partition key, on either side of the condition and under any name", () => {
    const first = startOf(shape("S"), query);
    const turned = { ...query, KeyConditionExpression: "sk = :to AND pk = :p" };
    for (const condition of [turned.KeyConditionExpression, ":p = #p", "(:p = #p) AND sk > :from", ":p=pk"])
      expect(startOf(shape("S"), { ...query, KeyConditionExpression: condition })).toBe(first);
  });

  test("at its start key", () => {
    const ExclusiveStartKey = { pk: { S: "p" }, sk: { S: "a" } };
    expect(startOf(shape("S"), { ...query, ExclusiveStartKey })).toBe(at("S", "a"));
  });

  test("at the first position of all, when it is a scan", () => {
    expect(startOf(shape("S"), {})).toBe("");
  });
});
