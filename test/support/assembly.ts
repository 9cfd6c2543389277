import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchDirectory } from "./scratch.ts";

export interface StackContent {
  readonly Resources?: Readonly<Record<string, object>>;
  readonly Outputs?: Readonly<Record<string, object>>;
  readonly Parameters?: Readonly<Record<string, object>>;
}

export interface AssemblyContent {
  /** Templates by stack name. */
  readonly stacks: Readonly<Record<string, StackContent>>;
  /** Files of one bundle, by name; its object key is `code.zip`. */
  readonly code?: Readonly<Record<string, string>>;
}

/** Writes a cloud assembly as the CDK lays one out, and returns its directory. */
export function writeAssembly({ stacks, code = {} }: AssemblyContent): string {
  const directory = scratchDirectory();
  const write = (name: string, value: unknown) => writeFileSync(join(directory, name), JSON.stringify(value));
  const artifacts: Record<string, object> = {
    assets: { type: "cdk:asset-manifest", properties: { file: "assets.json" } },
    tree: { type: "cdk:tree" },
  };
  for (const [name, template] of Object.entries(stacks)) {
    artifacts[name] = {
      type: "aws:cloudformation:stack",
      properties: { templateFile: `${name}.template.json` },
    };
    write(`${name}.template.json`, template);
  }
  write("manifest.json", { artifacts });
  write("assets.json", {
    files: { code: { source: { path: "asset.code" }, destinations: { here: { objectKey: "code.zip" } } } },
  });
  mkdirSync(join(directory, "asset.code"));
  for (const [name, text] of Object.entries(code)) writeFileSync(join(directory, "asset.code", name), text);
  return directory;
}

export interface EndpointContent {
  /** `GET /hang`. */
  readonly routeKey: string;
  /** Properties of the function besides code, handler and runtime. */
  readonly function?: Readonly<Record<string, unknown>>;
  readonly integration?: Readonly<Record<string, unknown>>;
}

/**
 * Resources of an HTTP API whose endpoints all run `index.<name>` of one bundle, each in a function of the same name.
 */
export function apiResources(
  endpoints: Readonly<Record<string, EndpointContent>>,
  api: object = {},
): Record<string, object> {
  const resources: Record<string, object> = {
    Api: { Type: "AWS::ApiGatewayV2::Api", Properties: { ProtocolType: "HTTP", ...api } },
    Stage: { Type: "AWS::ApiGatewayV2::Stage", Properties: { StageName: "$default", AutoDeploy: true } },
  };
  for (const [name, endpoint] of Object.entries(endpoints)) {
    resources[`${name}Role`] = { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: {} } };
    resources[`${name}Function`] = {
      Type: "AWS::Lambda::Function",
      Properties: {
        Code: { S3Bucket: { "Fn::Join": ["-", ["assets", { Ref: "AWS::AccountId" }]] }, S3Key: "code.zip" },
        FunctionName: name,
        Handler: `index.${name}`,
        Role: { "Fn::GetAtt": [`${name}Role`, "Arn"] },
        Runtime: "nodejs24.x",
        ...endpoint.function,
      },
    };
    resources[`${name}Integration`] = {
      Type: "AWS::ApiGatewayV2::Integration",
      Properties: {
        ApiId: { Ref: "Api" },
        IntegrationType: "AWS_PROXY",
        IntegrationUri: { "Fn::GetAtt": [`${name}Function`, "Arn"] },
        PayloadFormatVersion: "2.0",
        ...endpoint.integration,
      },
    };
    resources[`${name}Route`] = {
      Type: "AWS::ApiGatewayV2::Route",
      Properties: {
        ApiId: { Ref: "Api" },
        RouteKey: endpoint.routeKey,
        Target: { "Fn::Join": ["", ["integrations/", { Ref: `${name}Integration` }]] },
      },
    };
  }
  return resources;
}
