import { describe, expect, test } from "vitest";
import { positionOf, startOf } from "../../../../local/store/behaviour/position.ts";
import type { KeyKind, KeyShape } from "../../../../local/store/table-shape.ts";

const shape = (type: KeyKind): KeyShape => ({
  partition: { name: "pk", type: "S" },
  sort: { name: "sk", type },
});
const at = (type: KeyKind, sort: string) => positionOf(shape(type), { pk: { S: "p" }, sk: { [type]: sort } });

describe("where an item lies", () => {
  test.each<[KeyKind, readonly string[]]>([
    ["S", ["", "a", "aa", "b"]],
    ["N", ["-1e30", "-20", "-3", "-0.5", "0", "0.5", "3", "20", "1e30"]],
    ["B", ["", "AA==", "AAA=", "AAE=", "/w=="]],
  ])("sort keys of type %s are in their order", (type, sorted) => {
    const positions = sorted.map((sort) => at(type, sort));
    expect(positions.toSorted()).toEqual(positions);
    expect(new Set(positions).size).toBe(sorted.length);
  });

  test("two spellings of a partition key are one position", () => {
    const table = (type: KeyKind): KeyShape => ({ partition: { name: "pk", type }, sort: undefined });
    expect(positionOf(table("N"), { pk: { N: "1.0" } })).toBe(positionOf(table("N"), { pk: { N: "1" } }));
    expect(positionOf(table("N"), { pk: { N: "10" } })).not.toBe(positionOf(table("N"), { pk: { N: "1" } }));
  });

  test("partition keys are scattered over all partitions", () => {
    const table: KeyShape = { partition: { name: "pk", type: "S" }, sort: undefined };
    const digits = Array.from({ length: 400 }, (_, n) => positionOf(table, { pk: { S: `key-${n}` } })[0]);
    expect(new Set(digits).size).toBe(16);
  });
});

describe("where a query begins", () => {
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

  test("the partition key is found wherever it stands, and under whichever name", () => {
    const first = startOf(shape("S"), query);
    const turned = { ...query, KeyConditionExpression: "sk = :to AND pk = :p" };
    for (const condition of [turned.KeyConditionExpression, ":p = #p", "(:p = #p) AND sk > :from", ":p=pk"])
      expect(startOf(shape("S"), { ...query, KeyConditionExpression: condition })).toBe(first);
  });

  test("at the key that it starts from", () => {
    const ExclusiveStartKey = { pk: { S: "p" }, sk: { S: "a" } };
    expect(startOf(shape("S"), { ...query, ExclusiveStartKey })).toBe(at("S", "a"));
  });

  test("a scan begins at the first position of all", () => {
    expect(startOf(shape("S"), {})).toBe("");
  });
});
