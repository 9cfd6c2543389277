import { describe, expect, test } from "vitest";
import { parseStage } from "../../infra/stage.ts";
import { projectFiles, projectText } from "../support/project.ts";
import { findSpecBreaches } from "../support/service-spec.ts";
import { synthesize, type Template } from "../support/synthesize.ts";
import { threeStages } from "../support/three-stages.ts";

const readStage = (file: string) => parseStage(JSON.parse(projectText(file)) as object, file);

const everything = threeStages["a stage with every setting"];

describe("the templates follow the CloudFormation specification", () => {
  test.each(projectFiles("infra/stages/*.json").map((file) => [file, readStage(file)] as const))(
    "of %s",
    (_, stage) => {
      const { api, data, domains, alarms, operators } = synthesize(stage);
      expect([api, data, domains, alarms, operators].flatMap(findSpecBreaches)).toEqual([]);
    },
  );
});

describe("a breach of the specification is found", () => {
  const { api, data } = synthesize(everything);
  const templateOf = (type: string): Template => ({
    Resources: Object.fromEntries(
      Object.entries({ ...api.Resources, ...data.Resources }).filter(([, { Type }]) => Type === type),
    ),
  });

  /** The breaches in a type's resources after a change to the properties of the first. */
  // biome-ignore lint/suspicious/noExplicitAny: the helper changes properties of every type
  function spoil(type: string, change: (properties: any) => void): string[] {
    const template = structuredClone(templateOf(type));
    const [id = "", first] = Object.entries(template.Resources)[0] ?? [];
    change(first?.Properties);
    return findSpecBreaches(template).map((line) => line.replace(id, "First"));
  }

  test.each(["AWS::Lambda::Functions", "AWS::Nothing::AtAll", "Custom::Thing"])(
    "in the resource type %s, which does not exist",
    (Type) => {
      expect(findSpecBreaches({ Resources: { A: { Type, Properties: {} } } })).toEqual([
        `A: there is no resource type ${Type}`,
      ]);
    },
  );

  test("in a property that is misspelt", () => {
    const breaches = spoil("AWS::Lambda::Function", (properties) => {
      properties.MemorySise = 128;
    });
    expect(breaches).toEqual(["First.MemorySise: there is no such property"]);
  });

  test("in a nested property that is misspelt", () => {
    const breaches = spoil("AWS::ApiGatewayV2::Api", ({ CorsConfiguration }) => {
      CorsConfiguration.AllowOrigin = [];
    });
    expect(breaches).toEqual(["First.CorsConfiguration.AllowOrigin: there is no such property"]);
  });

  test("in a required property that is missing", () => {
    const breaches = spoil("AWS::Lambda::Function", (properties) => {
      delete properties.Role;
    });
    expect(breaches).toEqual(["First: Role is required"]);
  });

  test("in a nested required property that is missing", () => {
    const breaches = spoil("AWS::DynamoDB::GlobalTable", (properties) => {
      delete properties.KeySchema[0].KeyType;
      delete properties.Replicas[0].Region;
    });
    expect(breaches).toEqual([
      "First.KeySchema.0: KeyType is required",
      "First.Replicas.0: Region is required",
    ]);
  });

  test.each<[string, (properties: Record<string, unknown>) => void, string]>([
    [
      "text for a number",
      (given) => Object.assign(given, { Timeout: "10" }),
      'First.Timeout: "10" is not of type integer',
    ],
    [
      "a fraction for a whole number",
      (given) => Object.assign(given, { Timeout: 1.5 }),
      "First.Timeout: 1.5 is not of type integer",
    ],
    [
      "a number for text",
      (given) => Object.assign(given, { Handler: 1 }),
      "First.Handler: 1 is not of type string",
    ],
    [
      "text for a list",
      (given) => Object.assign(given, { Architectures: "arm64" }),
      'First.Architectures: "arm64" is not of type array',
    ],
    [
      "a number in a list of texts",
      (given) => Object.assign(given, { Layers: ["a", 1] }),
      "First.Layers.1: 1 is not of type string",
    ],
    [
      "text for an object",
      (given) => Object.assign(given, { Environment: "A=1" }),
      'First.Environment: "A=1" is not of type object',
    ],
    [
      "a list for text in a map",
      (given) => Object.assign(given, { Environment: { Variables: { A: [] } } }),
      "First.Environment.Variables.A: [] is not of type string",
    ],
    [
      "joined text for a number",
      (given) => Object.assign(given, { Timeout: { "Fn::Join": ["", ["1", "0"]] } }),
      'First.Timeout: {"Fn::Join":["",["1","0"]]} is not of type integer',
    ],
  ])("in the type of a value: %s", (_, change, breach) => {
    expect(spoil("AWS::Lambda::Function", change)).toEqual([breach]);
  });

  test("in a value that is not one of those allowed", () => {
    const breaches = spoil("AWS::Lambda::Function", (properties) => {
      properties.PackageType = "Tar";
    });
    expect(breaches).toEqual(['First.PackageType: "Tar" is not one of Image, Zip']);
  });

  test("in a property that is deprecated", () => {
    const Type = "AWS::Events::EventBusPolicy";
    const Properties = { StatementId: "a", Action: "events:PutEvents" };
    expect(findSpecBreaches({ Resources: { A: { Type, Properties } } })).toEqual(["A.Action: is deprecated"]);
  });

  test("but not in a value that is known only at the deployment", () => {
    const breaches = spoil("AWS::Lambda::Function", (properties) => {
      properties.Timeout = { Ref: "Parameter" };
      properties.Role = { "Fn::GetAtt": ["Role", "Arn"] };
    });
    expect(breaches).toEqual([]);
  });
});
