import { describe, expect, it } from "vitest";
import { readApplication } from "../../../../local/template/template.ts";
import { apiResources, writeAssembly } from "../../../support/assembly.ts";

const arn = (table: string) => `arn:aws:dynamodb:eu-west-1:0:table/${table}`;
const table = (name: string, partition: string) => ({
  Type: "AWS::DynamoDB::GlobalTable",
  Properties: {
    TableName: name,
    KeySchema: [
      { AttributeName: partition, KeyType: "HASH" },
      { AttributeName: "at", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [],
  },
});
const condition = (patterns: unknown) => ({
  "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
});
const statement = {
  Effect: "Allow",
  Action: ["dynamodb:GetItem", "dynamodb:PutItem"],
  Resource: arn("T"),
  Condition: condition(["a#*", "b"]),
};

/** What a function may do whose role has this statement. The tables are in a stack of their own. */
function statementsOf(changes: object) {
  const Policy = {
    Type: "AWS::IAM::Policy",
    Properties: { PolicyDocument: { Statement: { ...statement, ...changes } }, Roles: [{ Ref: "aRole" }] },
  };
  const assembly = writeAssembly({
    stacks: {
      api: { Resources: { ...apiResources({ a: { routeKey: "GET /a" } }), Policy } },
      data: { Resources: { T: table("T", "id"), U: table("U", "name") } },
    },
  });
  return readApplication(assembly).functions[0]?.permissions.statements;
}

describe("a condition on the items that a statement is about", () => {
  it("is read with the partition key of the statement's table", () => {
    expect(statementsOf({})).toMatchObject([{ leadingKeys: { attribute: "id", patterns: ["a#*", "b"] } }]);
    expect(statementsOf({ Resource: arn("U"), Condition: condition("c") })).toMatchObject([
      { leadingKeys: { attribute: "name", patterns: ["c"] } },
    ]);
  });

  it("may have a pattern for tables that are not in the template, and for those that are", () => {
    expect(statementsOf({ Resource: [arn("T"), arn("T-r*")] })).toMatchObject([
      { resources: [arn("T"), arn("T-r*")], leadingKeys: { attribute: "id" } },
    ]);
    expect(statementsOf({ Resource: [arn("U*")] })).toMatchObject([{ leadingKeys: { attribute: "name" } }]);
  });

  it.each([
    ["another operator", { Condition: { StringLike: { "dynamodb:LeadingKeys": ["a"] } } }],
    ["another key", { Condition: { "ForAllValues:StringLike": { "dynamodb:Attributes": ["a"] } } }],
    [
      "a second operator",
      { Condition: { ...condition(["a"]), StringEquals: { "aws:PrincipalTag/x": "y" } } },
    ],
    [
      "a second key",
      {
        Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["a"], "dynamodb:Select": ["b"] } },
      },
    ],
    ["a pattern that is not a text", { Condition: condition([{ Ref: "x" }]) }],
    ["an action that is not about one item", { Action: ["dynamodb:GetItem", "dynamodb:Scan"] }],
    ["every action", { Action: "dynamodb:*" }],
    ["tables with different keys", { Resource: [arn("T"), arn("U")] }],
    ["a pattern of tables with different keys", { Resource: [arn("T"), arn("?")] }],
    ["a table that is not in the template", { Resource: arn("V") }],
    ["no table of the template", { Resource: arn("V-r*") }],
  ])("stops the start with %s", (_, changes) => {
    expect(() => statementsOf(changes)).toThrow("a statement's Condition");
  });
});
