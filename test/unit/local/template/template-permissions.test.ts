import { describe, expect, it } from "vitest";
import { readApplication } from "../../../../local/template/template.ts";
import { TemplateError } from "../../../../local/template/template-error.ts";
import { apiResources, writeAssembly } from "../../../support/assembly.ts";

const base = apiResources({ a: { routeKey: "GET /a" } });
const TABLE = {
  "Fn::Join": ["", ["arn:", { Ref: "AWS::Partition" }, ":dynamodb:", { Ref: "AWS::Region" }, ":0:table/T"]],
};
const ARN = "arn:aws:dynamodb:eu-west-1:0:table/T";

const policy = (statement: object, more: object = {}) => ({
  Type: "AWS::IAM::Policy",
  Properties: {
    PolicyDocument: { Version: "2012-10-17", Statement: statement },
    Roles: [{ Ref: "aRole" }],
    ...more,
  },
});

const get = { Effect: "Allow", Action: "dynamodb:GetItem", Resource: TABLE };

function permissionsOf(more: Readonly<Record<string, object>>) {
  const assembly = writeAssembly({ stacks: { api: { Resources: { ...base, ...more } } } });
  return readApplication(assembly).functions[0]?.permissions;
}

const role = (properties: object) => ({
  aRole: { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: {}, ...properties } },
});

describe("the permissions of a function", () => {
  it("are empty when its role has no policy", () => {
    expect(permissionsOf({})).toEqual({ roleName: "aRole", statements: [] });
  });

  it("are those of every policy of its role, inline or attached", () => {
    const permissions = permissionsOf({
      ...role({
        Policies: [
          { PolicyName: "Own", PolicyDocument: { Statement: { ...get, Action: "dynamodb:Query" } } },
        ],
      }),
      One: policy([get]),
      Two: { ...policy({ ...get, Effect: "Deny", Action: ["dynamodb:*"] }), Type: "AWS::IAM::ManagedPolicy" },
    });
    expect(permissions?.statements).toEqual([
      { effect: "Allow", actions: ["dynamodb:Query"], resources: [ARN] },
      { effect: "Allow", actions: ["dynamodb:GetItem"], resources: [ARN] },
      { effect: "Deny", actions: ["dynamodb:*"], resources: [ARN] },
    ]);
  });

  it("are not those of another role, of another stack, or for another service", () => {
    const logs = { ...get, Action: ["logs:PutLogEvents"], Resource: { "Fn::GetAtt": ["Logs", "Arn"] } };
    expect(
      permissionsOf({ Other: policy(get, { Roles: [{ Ref: "bRole" }] }), Logs: policy(logs) })?.statements,
    ).toEqual([]);
    const elsewhere = writeAssembly({
      stacks: { api: { Resources: base }, data: { Resources: { One: policy(get) } } },
    });
    expect(readApplication(elsewhere).functions[0]?.permissions.statements).toEqual([]);
  });

  it.each<[string, Record<string, object>, RegExp]>([
    ["a condition", { One: policy({ ...get, Condition: {} }) }, /One .*a statement's Condition/],
    [
      "all actions except some",
      { One: policy({ Effect: "Allow", NotAction: "s3:*", Resource: "*" }) },
      /NotAction/,
    ],
    [
      "all tables except some",
      { One: policy({ Effect: "Allow", Action: "*", NotResource: "x" }) },
      /NotResource/,
    ],
    ["a managed policy", role({ ManagedPolicyArns: ["arn:aws:iam::aws:policy/X"] }), /ManagedPolicyArns/],
    ["a boundary", role({ PermissionsBoundary: "arn:aws:iam::aws:policy/X" }), /PermissionsBoundary/],
    ["no role", { aRole: { Type: "AWS::SNS::Topic" } }, /Role names no role/],
  ])("with %s stop the start, because the local store cannot evaluate them", (_, more, message) => {
    expect(() => permissionsOf(more)).toThrow(TemplateError);
    expect(() => permissionsOf(more)).toThrow(message);
  });
});
