import { describe, expect, it } from "vitest";
import { authorize } from "../../../../local/store/identity.ts";
import type { StoreOperation } from "../../../../local/store/wire.ts";

const TABLE = "arn:aws:dynamodb:eu-west-1:000000000000:table/orders";

/** Whether a statement for every action, on items whose key fits a pattern, allows a request. */
function allows(operation: StoreOperation, input: object, patterns = ["order#*", "summary"]): boolean {
  const statement = {
    effect: "Allow",
    actions: ["dynamodb:*"],
    resources: [TABLE],
    leadingKeys: { attribute: "id", patterns },
  } as const;
  const request = { operation, input: { TableName: "orders", ...input } };
  return authorize({ accessKeyId: "", arn: "", statements: [statement] }, request) === undefined;
}

describe("a statement on items by their partition keys", () => {
  it.each([
    ["order#1", true],
    ["order#", true],
    ["summary", true],
    ["summary2", false],
    ["xorder#1", false],
    ["ORDER#1", false],
    ["", false],
  ])("allows what names the item %j: %s", (id, isAllowed) => {
    const Key = { id: { S: id } };
    for (const operation of ["GetItem", "UpdateItem", "DeleteItem"] as const)
      expect(allows(operation, { Key })).toBe(isAllowed);
    expect(allows("PutItem", { Item: Key })).toBe(isAllowed);
  });

  it("goes by the partition key alone, where the operation has it", () => {
    const right = { id: { S: "order#1" } };
    const wrong = { id: { S: "key#1" }, other: { S: "order#1" } };
    expect(allows("PutItem", { Item: wrong, Key: right })).toBe(false);
    expect(allows("GetItem", { Key: wrong, Item: right })).toBe(false);
  });

  it("allows no request whose items it cannot tell", () => {
    for (const operation of ["Query", "Scan", "BatchGetItem", "BatchWriteItem"] as const)
      expect(allows(operation, { Key: { id: { S: "order#1" } } }, ["*"])).toBe(false);
    for (const input of [{}, { Key: {} }, { Key: { id: { N: "1" } } }])
      expect(allows("GetItem", input, ["*"])).toBe(false);
  });
});
