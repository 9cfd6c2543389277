import type { Context } from "aws-lambda";
import { describe, expect, test, vi } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { accessLine } from "../../ops/explain/read-lines.ts";
import { sampleChain, sampleEvent } from "../support/chain.ts";
import { sectionsOf } from "../support/markdown.ts";
import { projectText } from "../support/project.ts";
import {
  FUNCTION_COUNT,
  isOfSchedules,
  isOfUpkeep,
  resourcesOf,
  sorted,
  synthesize,
  type TemplateResource,
  testStage,
  textOf,
} from "../support/synthesize.ts";

const { api, data } = synthesize(
  testStage({
    logRetentionDays: 365,
    accessLogRetentionDays: 7,
    functions: { memoryMb: 256, timeoutSeconds: 7 },
  }),
);
const functions = resourcesOf(api, "AWS::Lambda::Function");
const aliases = resourcesOf(api, "AWS::Lambda::Alias");
const policies = resourcesOf(api, "AWS::IAM::Policy").filter((policy) => !isOfUpkeep(policy));
const tableNames = resourcesOf(data, "AWS::DynamoDB::GlobalTable").map(
  ({ Properties }) => Properties.TableName,
);

const functionNameOf = (endpointName: string): string => `countinghouse-test-${endpointName}`;

const listOf = <Value>(value: Value | Value[]): Value[] => (Array.isArray(value) ? value : [value]);

/** The grants of a policy, one for each action on each resource. */
function grantsOf(policy: TemplateResource | undefined): string[] {
  return policy?.Properties.PolicyDocument.Statement.flatMap(
    (statement: Record<string, string | string[]>) => {
      expect(statement.Effect).toBe("Allow");
      expect(Object.keys(statement).sort()).toEqual(["Action", "Effect", "Resource"]);
      return listOf(statement.Action).flatMap((action) =>
        listOf(statement.Resource).map((resource) => `${action} on ${textOf(resource)}`),
      );
    },
  );
}

const tableArn = (name: string): string => `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}`;

describe("the HTTP API", () => {
  const [stage] = resourcesOf(api, "AWS::ApiGatewayV2::Stage");

  test("has one HTTP API with one stage, $default", () => {
    expect(
      resourcesOf(api, "AWS::ApiGatewayV2::Api").map(({ Properties }) => Properties.ProtocolType),
    ).toEqual(["HTTP"]);
    expect(resourcesOf(api, "AWS::ApiGatewayV2::Stage")).toHaveLength(1);
    expect(stage?.Properties.StageName).toBe("$default");
  });

  test("has exactly the routes of the contracts, each to its own function with payload 2.0", () => {
    const integrations = resourcesOf(api, "AWS::ApiGatewayV2::Integration");
    const routed = resourcesOf(api, "AWS::ApiGatewayV2::Route").map(({ Properties }) => {
      const target = integrations.find(({ id }) => textOf(Properties.Target) === `integrations/\${${id}}`);
      expect(target?.Properties).toMatchObject({ IntegrationType: "AWS_PROXY", PayloadFormatVersion: "2.0" });
      const alias = aliases.find(({ id }) => textOf(target?.Properties.IntegrationUri) === `\${${id}}`);
      const lambda = functions.find(({ id }) => textOf(alias?.Properties.FunctionName) === `\${${id}}`);
      return `${Properties.RouteKey} to ${lambda?.Properties.FunctionName}`;
    });
    expect(sorted(routed)).toEqual(
      sorted(
        endpoints.map(
          ({ contract }) => `${contract.method} ${contract.route} to ${functionNameOf(contract.name)}`,
        ),
      ),
    );
    expect(integrations).toHaveLength(endpoints.length);
  });

  test("each function may be invoked by this API's route alone", () => {
    const permissions = resourcesOf(api, "AWS::Lambda::Permission").filter((one) => !isOfUpkeep(one));
    expect(permissions).toHaveLength(endpoints.length);
    for (const { Properties } of permissions) {
      expect(Properties).toMatchObject({
        Action: "lambda:InvokeFunction",
        Principal: "apigateway.amazonaws.com",
      });
      expect(endpoints.map(({ contract }) => contract.route)).toContain(
        textOf(Properties.SourceArn).replace(/^arn:.*:\$\{Api[^}]*\}\/\*\/\*/, ""),
      );
    }
  });

  test("the access log names the route, and nothing that a caller wrote", () => {
    const { stage: stageName, ...line }: Record<string, string> = JSON.parse(
      stage?.Properties.AccessLogSettings.Format,
    );
    expect(stageName).toBe("test");
    expect(line.routeKey).toBe("$context.routeKey");
    for (const value of Object.values(line)) {
      expect(value).toMatch(/^\$context\.[A-Za-z.]+$/);
      expect(value).not.toMatch(/path|query|header|userAgent|pem|authorizer|authentication/i);
    }
    const destination = textOf(stage?.Properties.AccessLogSettings.DestinationArn);
    const groups = resourcesOf(api, "AWS::Logs::LogGroup").map(({ id }) => `\${${id}.Arn}`);
    expect(groups).toContain(destination);
  });

  test("the access log tells a request's other lines, and where it came from, for as long as the stage says", () => {
    expect(JSON.parse(stage?.Properties.AccessLogSettings.Format)).toMatchObject({
      requestId: "$context.requestId",
      integrationRequestId: "$context.integration.requestId",
      domainName: "$context.domainName",
      sourceIp: "$context.identity.sourceIp",
      clientCertSubject: "$context.identity.clientCert.subjectDN",
      clientCertSerial: "$context.identity.clientCert.serialNumber",
      clientCertIssuer: "$context.identity.clientCert.issuerDN",
    });
    const group = resourcesOf(api, "AWS::Logs::LogGroup").find(({ id }) => id.includes("AccessLogs"));
    expect(group?.Properties.RetentionInDays).toBe(7);
  });

  test("the access log is where the region's log policy needs no entry for it, under a name of this stack alone", () => {
    const group = resourcesOf(api, "AWS::Logs::LogGroup").find(({ id }) => id.includes("AccessLogs"));
    const [, parts] = group?.Properties.LogGroupName["Fn::Join"] ?? [];
    expect(parts).toEqual([
      "/aws/vendedlogs/countinghouse/test/access-",
      { "Fn::Select": [2, { "Fn::Split": ["/", { Ref: "AWS::StackId" }] }] },
    ]);
  });

  test("no browser program may read an answer unless the stage names its origin", () => {
    expect(JSON.stringify(api)).not.toContain("CorsConfiguration");
  });

  test("an origin that the stage names may read the headers that answers carry", () => {
    const corsOrigins = ["https://app.example.com"];
    const [open] = resourcesOf(synthesize(testStage({ corsOrigins })).api, "AWS::ApiGatewayV2::Api");
    expect(open?.Properties.CorsConfiguration).toMatchObject({
      AllowOrigins: corsOrigins,
      AllowMethods: ["GET"],
      AllowHeaders: expect.arrayContaining([
        "Authorization",
        "X-API-KEY",
        "X-Svc-Signature",
        "Service-Api-Version",
      ]),
      ExposeHeaders: expect.arrayContaining(["ETag", "Retry-After", "WWW-Authenticate"]),
    });
    expect(open?.Properties.CorsConfiguration.AllowCredentials).toBeUndefined();
  });
});

test("there is one function for each endpoint, and one for the upkeep", () => {
  expect(sorted(functions.map(({ Properties }) => Properties.FunctionName))).toEqual(
    sorted([...endpoints.map(({ contract }) => contract.name), "report-expiry"].map(functionNameOf)),
  );
});

describe("requests go to the alias `live` of each function,", () => {
  const versions = resourcesOf(api, "AWS::Lambda::Version");

  test("which names the version of the code that is deployed with it", () => {
    expect(aliases).toHaveLength(FUNCTION_COUNT);
    for (const { Properties } of aliases) {
      expect(Properties.Name).toBe("live");
      const version = versions.find(({ id }) => textOf(Properties.FunctionVersion) === `\${${id}.Version}`);
      expect(version?.Properties.FunctionName).toEqual(Properties.FunctionName);
    }
  });

  test("and earlier versions stay, to go back to", () => {
    expect(versions).toHaveLength(FUNCTION_COUNT);
    for (const version of versions) expect(version.UpdateReplacePolicy).toBe("Retain");
    for (const version of versions) expect(version.DeletionPolicy).toBe("RetainExceptOnCreate");
  });

  test("all at once, unless the stage names a way to shift them", () => {
    expect(resourcesOf(api, "AWS::CodeDeploy::DeploymentGroup")).toEqual([]);
    expect(JSON.stringify(aliases)).not.toContain("UpdatePolicy");
  });

  test("step by step where the stage says so, and back when a function crashes", () => {
    const shifting = synthesize(testStage({ release: { shift: "Canary10Percent5Minutes" } })).api;
    const groups = resourcesOf(shifting, "AWS::CodeDeploy::DeploymentGroup");
    const alarms = resourcesOf(shifting, "AWS::CloudWatch::Alarm");
    expect([groups.length, alarms.length]).toEqual([endpoints.length, endpoints.length]);
    for (const { Properties } of groups) {
      expect(Properties.DeploymentConfigName).toBe("CodeDeployDefault.LambdaCanary10Percent5Minutes");
      const [watched] = Properties.AlarmConfiguration.Alarms;
      const alarm = alarms.find(({ id }) => textOf(watched.Name) === `\${${id}}`);
      expect(alarm?.Properties).toMatchObject({
        MetricName: "Errors",
        Namespace: "AWS/Lambda",
        Threshold: 1,
        TreatMissingData: "notBreaching",
      });
      expect(Properties.AutoRollbackConfiguration).toMatchObject({
        Enabled: true,
        Events: expect.arrayContaining(["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"]),
      });
    }
    for (const alias of resourcesOf(shifting, "AWS::Lambda::Alias").filter((one) => !isOfUpkeep(one)))
      expect(alias.UpdatePolicy).toHaveProperty("CodeDeployLambdaAliasUpdate");
  });

  test("by no way that CodeDeploy does not have", () => {
    expect(() => testStage({ release: { shift: "Canary50Percent1Minute" } })).toThrow(
      "release.shift: must be one of",
    );
  });
});

test("no two functions share a role or a log group", () => {
  const rolesOf = new Set(functions.map(({ Properties }) => textOf(Properties.Role)));
  const logGroupsOf = new Set(functions.map(({ Properties }) => textOf(Properties.LoggingConfig.LogGroup)));
  expect(rolesOf.size).toBe(FUNCTION_COUNT);
  expect(logGroupsOf.size).toBe(FUNCTION_COUNT);
  // A higher level would drop the log lines of requests, and the causes of errors with them.
  for (const { Properties } of functions)
    expect(Properties.LoggingConfig).toMatchObject({ LogFormat: "JSON", ApplicationLogLevel: "INFO" });
});

test("every log ends: each function's group has the stage's retention", () => {
  const groups = resourcesOf(api, "AWS::Logs::LogGroup").filter(({ id }) => !id.includes("AccessLogs"));
  expect(groups).toHaveLength(FUNCTION_COUNT);
  for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(365);
});

describe("the saved queries", () => {
  const queries = resourcesOf(api, "AWS::Logs::QueryDefinition").map(({ Properties }) => Properties);
  const groupsOf = (name: string): string[] =>
    queries.find(({ Name }) => Name === `countinghouse/test/${name}`)?.LogGroupNames.map(textOf);
  const groups = resourcesOf(api, "AWS::Logs::LogGroup").map(({ id }) => `\${${id}}`);
  const [access] = groups.filter((id) => id.includes("AccessLogs"));
  const ofFunctions = groups.filter((id) => id !== access);

  test("are in a folder of the stage, over the groups that have what they look for", () => {
    expect(queries).toHaveLength(4);
    expect(groupsOf("Find by error_id")).toEqual(ofFunctions);
    expect(groupsOf("Slowest")).toEqual(ofFunctions);
    expect(groupsOf("Find by request id")).toEqual([...ofFunctions, access]);
    expect(groupsOf("401 storm by source")).toEqual([access]);
  });

  test("are told in docs/operations.md", () => {
    const page = projectText("docs/operations.md");
    const rows = sectionsOf(page).flatMap(({ tables }) => tables.flat());
    const told = rows.flatMap(({ query }) => (query === undefined ? [] : [`countinghouse/test/${query}`]));
    expect(told).toEqual(queries.map(({ Name }) => Name));
  });

  test("ask CloudFormation for nothing that it does not know in every region", () => {
    const members = new Set(queries.flatMap((query) => Object.keys(query)));
    expect(members).toEqual(new Set(["LogGroupNames", "Name", "QueryString"]));
  });

  test("read members that some line has", async () => {
    const { call, lines } = sampleChain();
    vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-6b05fad0-1bae89e2512ec92d5d9438a0");
    await call(sampleEvent(), { awsRequestId: "lambda-1" } as Context);
    await call(sampleEvent({ headers: {} }));
    vi.unstubAllEnvs();
    const ours = ["stage", "endpoint", ...lines.flatMap((line) => Object.keys(line))];
    const [gateway] = resourcesOf(api, "AWS::ApiGatewayV2::Stage");
    const theirs = Object.keys(JSON.parse(gateway?.Properties.AccessLogSettings.Format));
    const known = new Set([...ours, ...theirs, "@timestamp", "@log", "@message"]);
    const words =
      /^(?:as|asc|by|count|desc|fields|filter|ispresent|last|latest|like|limit|refused|sort|stats)$/;
    for (const { Name, QueryString } of queries) {
      const named = QueryString.replaceAll(/"[^"]*"/g, "").match(/@?[A-Za-z_][\w.]*/g) ?? [];
      const unknown = named.filter((name: string) => !words.test(name) && !known.has(name));
      expect([Name, unknown]).toEqual([Name, []]);
    }
    // `explain --stage` reads these.
    expect(theirs).toEqual(expect.arrayContaining(Object.keys(accessLine.shape)));
  });
});

test("no policy of an endpoint holds a wildcard but the end of a restored copy's name, a scan or an action that deletes a record or a table", () => {
  expect(policies).toHaveLength(endpoints.length);
  for (const grant of policies.flatMap(grantsOf)) {
    expect(grant.replace(/-r\*(?=$|\/index\/)/, "")).not.toContain("*");
    expect(grant).toMatch(
      /^(?:logs:(?:CreateLogStream|PutLogEvents)|dynamodb:(?:BatchGetItem|GetItem|Query|UpdateItem)) on /,
    );
    if (grant.startsWith("dynamodb:UpdateItem")) expect(grant).toMatch(/-RateLimits$/);
  }
});

test("no role has a permission beside its own policy, and only Lambda may assume those of functions", () => {
  for (const { id, Properties } of resourcesOf(api, "AWS::IAM::Role")) {
    expect(Properties.ManagedPolicyArns).toBeUndefined();
    expect(Properties.Policies).toBeUndefined();
    if (isOfSchedules({ id })) continue;
    expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
      { Action: "sts:AssumeRole", Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" } },
    ]);
  }
});

describe.each(endpoints)("the function of $entry", ({ contract, tables }) => {
  const lambda = functions.find(
    ({ Properties }) => Properties.FunctionName === functionNameOf(contract.name),
  );
  const properties = lambda?.Properties;

  test("runs on arm64 and the current Node, within the stage's bounds", () => {
    expect(properties).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      Handler: "index.handler",
      MemorySize: 256,
      Timeout: 7,
    });
  });

  test("has exactly the environment variables that its contract names", () => {
    const environment = properties.Environment.Variables;
    expect(Object.keys(environment).sort()).toEqual(Object.keys(contract.env.shape).sort());
    expect(contract.env.safeParse(environment).success).toBe(true);
  });

  test("has the names of tables that exist, each in its own variable", () => {
    const { Variables } = properties.Environment;
    const given = Object.keys(Variables).filter((key) => key.endsWith("_TABLE"));
    expect(given.sort()).toEqual(tables.map(({ variable }) => variable).sort());
    for (const { variable, table } of tables) {
      expect(Variables[variable]).toBe(physicalTableName("test", table));
      expect(tableNames).toContain(Variables[variable]);
    }
  });

  test("may write its own log and do what the list of endpoints says, with its tables and their restored copies, and nothing else", () => {
    const policy = policies.find(({ Properties }) =>
      Properties.Roles.some(
        (role: unknown) => `${textOf(role).slice(0, -1)}.Arn}` === textOf(properties.Role),
      ),
    );
    const logGroup = `${textOf(properties.LoggingConfig.LogGroup).slice(0, -1)}.Arn}`;
    const expected = tables.flatMap(({ table, actions, queriedIndexes }) => {
      const own = tableArn(physicalTableName("test", table));
      return (table === "RateLimits" ? [own] : [own, `${own}-r*`]).flatMap((arn) => [
        ...actions.map((action) => `dynamodb:${action} on ${arn}`),
        ...queriedIndexes.map((index) => `dynamodb:Query on ${arn}/index/${index}`),
      ]);
    });
    expect(grantsOf(policy).sort()).toEqual(
      [`logs:CreateLogStream on ${logGroup}`, `logs:PutLogEvents on ${logGroup}`, ...expected].sort(),
    );
  });
});
