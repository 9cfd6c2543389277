import { describe, expect, it } from "vitest";
import {
  authorize,
  type Identity,
  ownerIdentity,
  type PolicyStatement,
} from "../../../../local/store/identity.ts";
import type { StoreOperation } from "../../../../local/store/wire.ts";

const TABLE = "arn:aws:dynamodb:eu-west-1:000000000000:table/orders";

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
  it("is allowed exactly the actions and tables that a statement names", () => {
    const statements = [allow(["dynamodb:GetItem"], [TABLE])];
    expect(refusalOf(statements, "GetItem")).toBeUndefined();
    expect(refusalOf(statements, "Query")).toBeDefined();
    expect(refusalOf(statements, "GetItem", { TableName: "orders2" })).toBeDefined();
    expect(refusalOf(statements, "GetItem", { TableName: "order" })).toBeDefined();
    expect(refusalOf([], "GetItem")).toBeDefined();
  });

  it("is refused in IAM's words, which name the caller, the action, the resource and the reason", () => {
    expect(refusalOf([], "UpdateItem")).toEqual({
      code: "AccessDeniedException",
      message: `User: arn:aws:sts::000000000000:assumed-role/Role/get-order is not authorized to perform: dynamodb:UpdateItem on resource: ${TABLE} because no identity-based policy allows the dynamodb:UpdateItem action`,
    });
  });

  it("that names an index needs a permission for the index, which one for its table does not include", () => {
    const query = { TableName: "orders", IndexName: "by-day" };
    expect(refusalOf([allow(["dynamodb:Query"], [TABLE])], "Query", query)?.message).toContain(
      `on resource: ${TABLE}/index/by-day `,
    );
    expect(refusalOf([allow(["dynamodb:Query"], [`${TABLE}/index/by-day`])], "Query", query)).toBeUndefined();
    expect(refusalOf([allow(["dynamodb:Query"], [`${TABLE}/index/by-day`])], "Query")).toBeDefined();
  });

  it("of several tables needs a permission for each", () => {
    const batch = { RequestItems: { orders: { Keys: [] }, other: { Keys: [] } } };
    const both = TABLE.replace("orders", "o*");
    expect(refusalOf([allow(["dynamodb:BatchGetItem"], [TABLE])], "BatchGetItem", batch)?.message).toContain(
      "table/other ",
    );
    expect(refusalOf([allow(["dynamodb:BatchGetItem"], [both])], "BatchGetItem", batch)).toBeUndefined();
  });

  it("is judged by the members that its operation reads, and by no other", () => {
    const table = allow(["dynamodb:*"], [TABLE]);
    const foreign = { RequestItems: { other: {} } };
    for (const operation of ["BatchGetItem", "BatchWriteItem"] as const)
      expect(refusalOf([table], operation, { TableName: "orders", ...foreign })?.message).toContain(
        "table/other ",
      );
    expect(refusalOf([table], "GetItem", { TableName: "other", RequestItems: { orders: {} } })).toBeDefined();
    expect(refusalOf([table], "ListTables", { TableName: "orders" })).toBeDefined();
    expect(refusalOf([table], "GetItem", { TableName: ["orders"] })).toBeDefined();
    // Only a query and a scan read an index. Any other operation ignores the member.
    const index = allow(["dynamodb:*"], [`${TABLE}/index/by-day`]);
    expect(refusalOf([index], "PutItem", { TableName: "orders", IndexName: "by-day" })).toBeDefined();
    expect(refusalOf([index], "Scan", { TableName: "orders", IndexName: "by-day" })).toBeUndefined();
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
    const statements = [
      allow(["*"], ["*"]),
      { ...allow(["dynamodb:GetItem"], [TABLE]), effect: "Deny" as const },
    ];
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
    for (const operation of ["CreateTable", "ListTables", "Scan"] as const)
      expect(
        authorize(ownerIdentity("ASIA2"), { operation, input: { TableName: "orders" } }),
      ).toBeUndefined();
  });
});
