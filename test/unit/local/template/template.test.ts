import { describe, expect, it } from "vitest";
import { readApplication } from "../../../../local/template/template.ts";
import { TemplateError } from "../../../../local/template/template-error.ts";
import {
  apiResources,
  type EndpointContent,
  type StackContent,
  writeAssembly,
} from "../../../support/assembly.ts";

const table = (name: string, more: object = {}) => ({
  Type: "AWS::DynamoDB::GlobalTable",
  Properties: {
    TableName: name,
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    BillingMode: "PAY_PER_REQUEST",
    ...more,
  },
});

const withVariable = (value: unknown): EndpointContent => ({
  routeKey: "GET /a",
  function: { Environment: { Variables: { KEY: value } } },
});

function read(api: StackContent["Resources"], data: StackContent = {}) {
  return readApplication(writeAssembly({ stacks: { data, api: { Resources: api ?? {} } } }));
}

const variable = (value: unknown, data?: StackContent) =>
  read(apiResources({ a: withVariable(value) }), data).functions[0]?.environment.KEY;

describe("a template", () => {
  it("gives routes, functions with their settings, and tables", () => {
    const endpoint = {
      routeKey: "GET /a/{id}",
      function: { Timeout: 7, MemorySize: 512, ReservedConcurrentExecutions: 2 },
      integration: { TimeoutInMillis: 1500 },
    };
    const application = read(apiResources({ a: endpoint }), {
      Resources: { Table: table("countinghouse-local-A") },
    });
    expect(application.routes).toEqual([
      { routeKey: "GET /a/{id}", functionName: "a", integrationTimeoutMs: 1500 },
    ]);
    expect(application.functions).toMatchObject([
      {
        name: "a",
        handler: "index.a",
        runtime: "nodejs24.x",
        timeoutMs: 7000,
        memoryMb: 512,
        environmentsMax: 2,
      },
    ]);
    expect(application.functions[0]?.codePath).toMatch(/asset\.code$/);
    expect(application.tables.map(({ name }) => name)).toEqual(["countinghouse-local-A"]);
    expect(application.cors).toBeUndefined();
  });

  it("leads a route by way of an alias to its function", () => {
    const Live = {
      Type: "AWS::Lambda::Alias",
      Properties: { FunctionName: { Ref: "aFunction" }, FunctionVersion: "1", Name: "live" },
    };
    const throughAlias = { routeKey: "GET /a", integration: { IntegrationUri: { Ref: "Live" } } };
    const { routes } = read({ ...apiResources({ a: throughAlias }), Live });
    expect(routes).toEqual([{ routeKey: "GET /a", functionName: "a", integrationTimeoutMs: 30_000 }]);
  });

  it("gets the defaults of Lambda and API Gateway for settings that it leaves out", () => {
    const application = read(apiResources({ a: { routeKey: "GET /a" } }));
    expect(application.functions[0]).toMatchObject({
      timeoutMs: 3000,
      memoryMb: 128,
      environmentsMax: undefined,
    });
    expect(application.routes[0]?.integrationTimeoutMs).toBe(30_000);
  });

  it("keeps an index's keys and projection and drops its throughput", () => {
    const index = {
      IndexName: "by",
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      Projection: { ProjectionType: "ALL" },
    };
    const indexed = table("A", {
      GlobalSecondaryIndexes: [{ ...index, WriteOnDemandThroughputSettings: {} }],
    });
    const { tables } = read(apiResources({ a: { routeKey: "GET /a" } }), { Resources: { Table: indexed } });
    expect(tables[0]?.indexes).toEqual([index]);
  });

  it("gives the CORS rules of its API", () => {
    const cors = {
      AllowOrigins: ["https://a.example"],
      AllowMethods: ["GET"],
      ExposeHeaders: ["ETag"],
      MaxAge: 60,
    };
    expect(read(apiResources({ a: { routeKey: "GET /a" } }, { CorsConfiguration: cors })).cors).toEqual({
      origins: ["https://a.example"],
      methods: ["GET"],
      headers: [],
      exposedHeaders: ["ETag"],
      maxAgeS: 60,
      credentials: false,
    });
  });
});

describe("an environment variable", () => {
  const data: StackContent = {
    Resources: { Table: table("named") },
    Outputs: { Out: { Value: { Ref: "Table" }, Export: { Name: "data:ExportsOutputRefTable" } } },
    Parameters: { Word: { Default: "word" } },
  };

  it.each([
    ["text", "text"],
    [{ "Fn::ImportValue": "data:ExportsOutputRefTable" }, "named"],
    [
      { "Fn::Join": ["-", ["a", { Ref: "AWS::Region" }, { Ref: "AWS::AccountId" }]] },
      "a-eu-west-1-000000000000",
    ],
    [{ "Fn::GetAtt": ["aFunction", "Arn"] }, "arn:aws:lambda:eu-west-1:000000000000:function:a"],
    [{ Ref: "aFunction" }, "a"],
    [
      { "Fn::Sub": "${AWS::StackName}/${!literal}/${aFunction.Arn}" },
      "api/${literal}/arn:aws:lambda:eu-west-1:000000000000:function:a",
    ],
    [{ "Fn::Sub": ["${x}", { x: { Ref: "AWS::Partition" } }] }, "aws"],
  ])("%j becomes %j", (value, expected) => {
    expect(variable(value, data)).toBe(expected);
  });

  it.each([
    [{ "Fn::Select": [0, ["a"]] }, /uses Fn::Select/],
    [{ "Fn::If": ["a", "b", "c"] }, /uses Fn::If/],
    [{ "Fn::ImportValue": "nowhere" }, /imports nowhere/],
    [{ Ref: "Absent" }, /refers to Absent/],
    [{ Ref: "Api" }, /AWS::ApiGatewayV2::Api, which has no name locally/],
    [{ "Fn::GetAtt": ["aFunction", "Version"] }, /attribute Version/],
    [["a", "list"], /does not resolve to text/],
  ])("%j is refused by an error that names its place", (value, message) => {
    expect(() => variable(value, data)).toThrow(TemplateError);
    expect(() => variable(value, data)).toThrow(message);
    expect(() => variable(value, data)).toThrow(/^api: .*KEY/);
  });
});

describe("an unknown or unserved part of a template stops the start:", () => {
  const api = (endpoint: Partial<EndpointContent>) =>
    apiResources({ a: { routeKey: "GET /a", ...endpoint } });
  const more = (resource: object) => ({ ...api({}), Odd: resource });

  it.each([
    [
      "a resource type",
      more({ Type: "AWS::Kinesis::Stream" }),
      /Odd \(AWS::Kinesis::Stream\).*resource type/,
    ],
    ["a property of a function", api({ function: { Layers: [] } }), /property Layers/],
    [
      "a property of a table",
      more(table("T", { ImportSourceSpecification: {} })),
      /property ImportSourceSpecification/,
    ],
    [
      "a property of an index",
      more(table("T", { GlobalSecondaryIndexes: [{ IndexName: "i", Odd: 1 }] })),
      /index's property Odd/,
    ],
    ["another runtime", api({ function: { Runtime: "python3.13" } }), /not python3\.13/],
    ["code in the template", api({ function: { Code: { ZipFile: "…" } } }), /is not an asset/],
    [
      "an older payload format",
      api({ integration: { PayloadFormatVersion: "1.0" } }),
      /PayloadFormatVersion is "1\.0"/,
    ],
    ["another integration", api({ integration: { IntegrationType: "HTTP_PROXY" } }), /IntegrationType/],
    [
      "a second API",
      more({ Type: "AWS::ApiGatewayV2::Api", Properties: { ProtocolType: "HTTP" } }),
      /serves one HTTP API/,
    ],
    [
      "a stage of another name",
      more({ Type: "AWS::ApiGatewayV2::Stage", Properties: { StageName: "v1" } }),
      /StageName is "v1"/,
    ],
    [
      "an alias that splits its traffic",
      more({ Type: "AWS::Lambda::Alias", Properties: { Name: "live", RoutingConfig: {} } }),
      /property RoutingConfig/,
    ],
    [
      "an authorizer",
      more({
        Type: "AWS::ApiGatewayV2::Route",
        Properties: { RouteKey: "GET /b", AuthorizationType: "JWT" },
      }),
      /AuthorizationType/,
    ],
    [
      "a CORS setting",
      apiResources({ a: { routeKey: "GET /a" } }, { CorsConfiguration: { Odd: [] } }),
      /CorsConfiguration\.Odd/,
    ],
    ["no API at all", { Table: table("T") }, /no HTTP API/],
  ])("%s", (_, resources, message) => {
    expect(() => read(resources)).toThrow(TemplateError);
    expect(() => read(resources)).toThrow(message);
  });

  it("logs, alarms and permissions to call a function do not, because they change no answer", () => {
    const resources = Object.fromEntries(
      ["AWS::Logs::LogGroup", "AWS::CloudWatch::Alarm", "AWS::Lambda::Permission"].map((Type) => [
        Type.replaceAll(":", ""),
        { Type, Properties: { Anything: {} } },
      ]),
    );
    expect(read({ ...api({}), ...resources }).routes).toHaveLength(1);
  });
});
