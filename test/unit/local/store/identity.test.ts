import { describe, expect, it } from "vitest";
import {
  authorize,
  type Identity,
  ownerIdentity,
  type PolicyStatement,
} from "../../../../local/store/identity.ts";
import type { StoreOperation } from "../../../../local/store/wire.ts";

const TABLE = "arn:aws:dynamodb:eu-west-1:000000000000:table/orders";
const BATCH = { RequestItems: { orders: { Keys: [] }, other: { Keys: [] } } };

const allow = (actions: string[], resources: string[]): PolicyStatement => ({
  effect: "Allow",
  actions,
  resources,
});

const identity = (...statements: PolicyStatement[]): Identity => ({
  accessKeyId: "ASIA1",
  arn: "arn:aws:sts::000000000000:assumed-role/Role/get-order",
  statements,
});

const refusalOf = (
  statements: readonly PolicyStatement[],
  operation: StoreOperation,
  input: object = { TableName: "orders" },
) => authorize(identity(...statements), { operation, input: { ...input } });

describe("a request to the store", () => {
  const query = { TableName: "orders", IndexName: "by-day" };
  const index = `${TABLE}/index/by-day`;
  it.each<[boolean, string, PolicyStatement[], StoreOperation, object?]>([
    [true, "its action and table", [allow(["dynamodb:GetItem"], [TABLE])], "GetItem"],
    [false, "another action", [allow(["dynamodb:GetItem"], [TABLE])], "Query"],
    [false, "a longer name", [allow(["dynamodb:GetItem"], [TABLE])], "GetItem", { TableName: "orders2" }],
    [false, "a shorter name", [allow(["dynamodb:GetItem"], [TABLE])], "GetItem", { TableName: "order" }],
    [false, "nothing", [], "GetItem"],
    [true, "its index", [allow(["dynamodb:Query"], [index])], "Query", query],
    [false, "an index, for its table", [allow(["dynamodb:Query"], [index])], "Query"],
    [
      true,
      "tables of a pattern",
      [allow(["dynamodb:BatchGetItem"], [TABLE.replace("orders", "o*")])],
      "BatchGetItem",
      BATCH,
    ],
    [
      false,
      "another table",
      [allow(["dynamodb:*"], [TABLE])],
      "GetItem",
      { TableName: "other", RequestItems: { orders: {} } },
    ],
    [false, "a table, for all", [allow(["dynamodb:*"], [TABLE])], "ListTables"],
    [false, "a table, for a list", [allow(["dynamodb:*"], [TABLE])], "GetItem", { TableName: ["orders"] }],
    // Only a query and a scan read an index. Any other operation ignores the member.
    [false, "an index, for a write", [allow(["dynamodb:*"], [index])], "PutItem", query],
    [true, "an index, for a scan", [allow(["dynamodb:*"], [index])], "Scan", query],
  ])("is allowed exactly what a statement names: %s for %s", (isAllowed, _, statements, operation, input) => {
    expect(refusalOf(statements, operation, input) === undefined).toBe(isAllowed);
  });

  it("is refused in IAM's words, which name the caller, the action, the resource and the reason", () => {
    expect(refusalOf([], "UpdateItem")).toEqual({
      code: "AccessDeniedException",
      message: `User: arn:aws:sts::000000000000:assumed-role/Role/get-order is not authorized to perform: dynamodb:UpdateItem on resource: ${TABLE} because no identity-based policy allows the dynamodb:UpdateItem action`,
    });
  });

  it.each<[string, string, StoreOperation, object]>([
    [`on resource: ${index} `, "an index, beside its table", "Query", query],
    ["table/other ", "each of several tables", "BatchGetItem", BATCH],
    [
      "table/other ",
      "what its batch reads",
      "BatchGetItem",
      { TableName: "orders", RequestItems: { other: {} } },
    ],
    [
      "table/other ",
      "what its batch writes",
      "BatchWriteItem",
      { TableName: "orders", RequestItems: { other: {} } },
    ],
  ])("is refused %s: a table's permission is not for %s", (words, _, operation, input) => {
    expect(refusalOf([allow(["dynamodb:*"], [TABLE])], operation, input)?.message).toContain(words);
  });

  it.each<[string, string, boolean]>([
    ["dynamodb:*", TABLE, true],
    ["*", "*", true],
    ["dynamodb:Get*", TABLE, true],
    ["DynamoDB:getitem", TABLE, true],
    ["dynamodb:GetIte?", TABLE, true],
    ["dynamodb:GetItem?", TABLE, false],
    ["dynamodb:GetItem", TABLE.replace("orders", "ord*"), true],
    ["dynamodb:GetItem", TABLE.replace("orders", "order?"), true],
    ["dynamodb:GetItem", TABLE.replace("orders", "ORDERS"), false],
    ["dynamodb:GetItem", TABLE.replace("000000000000", "000000000001"), false],
    ["dynamodb:GetItem", TABLE.replaceAll(":", "."), false],
    ["s3:GetItem", TABLE, false],
  ])("that %s on %s allows: %s", (action, resource, isAllowed) => {
    expect(refusalOf([allow([action], [resource])], "GetItem") === undefined).toBe(isAllowed);
  });

  it("that one statement allows and another denies is refused, in any order", () => {
    const deny = { ...allow(["dynamodb:GetItem"], [TABLE]), effect: "Deny" as const };
    const statements = [allow(["*"], ["*"]), deny];
    expect(refusalOf(statements, "GetItem")).toBeDefined();
    expect(refusalOf(statements.toReversed(), "GetItem")).toBeDefined();
    expect(refusalOf(statements, "Query")).toBeUndefined();
  });

  it("that is repeated costs no look at the statements, and is still judged by its own key", () => {
    let looks = 0;
    const statement: PolicyStatement = {
      effect: "Allow",
      get actions() {
        looks += 1;
        return ["dynamodb:GetItem"];
      },
      resources: [TABLE],
      leadingKeys: { attribute: "owner", patterns: ["acme*"] },
    };
    const caller = identity(statement);
    const ask = (owner: string, TableName = "orders") =>
      authorize(caller, { operation: "GetItem", input: { TableName, Key: { owner: { S: owner } } } });
    for (const owner of ["acme-1", "acme-2", "acme-3"]) expect(ask(owner)).toBeUndefined();
    expect(ask("other")).toBeDefined();
    expect(looks).toBe(1);
    expect(ask("acme-1", "orders2")).toBeDefined();
    expect(looks).toBe(2);
  });

  it("of the owner is always allowed", () => {
    const input = { TableName: "orders" };
    for (const operation of ["CreateTable", "ListTables", "Scan"] as const)
      expect(authorize(ownerIdentity("ASIA2"), { operation, input })).toBeUndefined();
  });
});

/** Whether a statement for every action, on items whose key fits a pattern, allows a request. */
function allows(operation: StoreOperation, input: object, patterns = ["order#*", "summary"]): boolean {
  const statement = { ...allow(["dynamodb:*"], [TABLE]), leadingKeys: { attribute: "id", patterns } };
  return refusalOf([statement], operation, { TableName: "orders", ...input }) === undefined;
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
