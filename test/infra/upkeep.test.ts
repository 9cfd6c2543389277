import { rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { upkeepEnvironmentOf } from "../../infra/environment.ts";
import { upkeep, upkeepSchedules } from "../../infra/upkeep.ts";
import { keptKeySetId } from "../../lib/auth/kept-key-set.ts";
import { switchId } from "../../lib/switches/switch.ts";
import { upkeepEnv, upkeepJobs } from "../../lib/upkeep/settings.ts";
import { authorize } from "../../local/store/identity.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../local/store/local-account.ts";
import type { StoreOperation } from "../../local/store/wire.ts";
import { readApplication } from "../../local/template/template.ts";
import {
  isOfSchedules,
  resourcesOf,
  sorted,
  synthesize,
  type Template,
  testStage,
  textOf,
} from "../support/synthesize.ts";
import { threeStages } from "../support/three-stages.ts";

const stage = threeStages["a stage with every setting"];
const { api, directory } = synthesize(stage, { keep: true });
const deployed = readApplication(directory).functions.find(({ name }) => name.endsWith("-report-expiry"));
const plain = synthesize(threeStages["a plain stage"]).api;
afterAll(() => rmSync(directory, { recursive: true }));

const ofUpkeep = (type: string) => resourcesOf(api, type).filter(({ id }) => id.startsWith("ReportExpiry"));
const [alias] = ofUpkeep("AWS::Lambda::Alias");

describe("the function that schedules call", () => {
  const schedules = ofUpkeep("AWS::Scheduler::Schedule").map(({ Properties }) => Properties);
  const [group] = ofUpkeep("AWS::Scheduler::ScheduleGroup");
  const [missed] = ofUpkeep("AWS::SQS::Queue");
  const [role] = ofUpkeep("AWS::IAM::Role").filter(isOfSchedules);
  const ofRole = (template: Template) =>
    resourcesOf(template, "AWS::IAM::Policy").find(isOfSchedules)?.Properties.PolicyDocument.Statement;
  const live = `\${${alias?.id}}`;

  test("is called for each job by a schedule of its own, to the minute, until the next call is due", () => {
    const told = schedules.map(({ Target, State, FlexibleTimeWindow, ...rest }) => {
      expect([State, FlexibleTimeWindow, textOf(rest.GroupName)]).toEqual([
        "ENABLED",
        { Mode: "OFF" },
        `\${${group?.id}}`,
      ]);
      expect([textOf(Target.Arn), textOf(Target.RoleArn), textOf(Target.DeadLetterConfig.Arn)]).toEqual([
        live,
        `\${${role?.id}.Arn}`,
        `\${${missed?.id}.Arn}`,
      ]);
      const { job } = JSON.parse(Target.Input);
      expect(rest.Name).toBe(job);
      return [job, [rest.ScheduleExpression, Target.RetryPolicy]];
    });
    expect(Object.fromEntries(told)).toEqual({
      watch: ["rate(4 minutes)", { MaximumEventAgeInSeconds: 240 }],
      expiry: ["cron(0 5 * * ? *)", { MaximumEventAgeInSeconds: 86_400 }],
    });
    expect(told).toHaveLength(upkeepJobs.length);
  });

  test("keeps a set that stays well below ten minutes, even if every second run fails", () => {
    expect(upkeepSchedules.watch.expression).toBe(`rate(${upkeepSchedules.watch.everyMinutes} minutes)`);
    expect(2 * upkeepSchedules.watch.everyMinutes).toBeLessThan(9);
  });

  test("may be called by the schedules of this stage alone, whose role may do nothing else", () => {
    expect(ofUpkeep("AWS::Lambda::Permission")).toEqual([]);
    const StringEquals = {
      "aws:SourceAccount": LOCAL_ACCOUNT,
      "aws:SourceArn": { "Fn::GetAtt": [group?.id, "Arn"] },
    };
    expect(role?.Properties.AssumeRolePolicyDocument.Statement).toEqual([
      {
        Action: "sts:AssumeRole",
        Effect: "Allow",
        Principal: { Service: "scheduler.amazonaws.com" },
        Condition: { StringEquals },
      },
    ]);
    expect(group?.Properties.Name).toBe("countinghouse-test");
    expect(ofRole(plain)).toEqual([
      { Action: "lambda:InvokeFunction", Effect: "Allow", Resource: { Ref: alias?.id } },
      { Action: "sqs:SendMessage", Effect: "Allow", Resource: { "Fn::GetAtt": [missed?.id, "Arn"] } },
    ]);
    expect(ofRole(api)).toHaveLength(ofRole(plain).length + 2);
    for (const { DependsOn = [] } of ofUpkeep("AWS::Scheduler::Schedule"))
      expect(DependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/RoleDefaultPolicy/)]));
  });

  test("has its schedules and what became of missed calls encrypted with the stage's key, if there is one", () => {
    const { keyArn = "", otherKeyArns = [] } = stage.encryption ?? {};
    const keys = sorted([keyArn, ...otherKeyArns]);
    expect(missed?.Properties).toMatchObject({
      QueueName: "countinghouse-test-missed-calls",
      KmsMasterKeyId: keyArn,
    });
    for (const { KmsKeyArn } of schedules) expect(KmsKeyArn).toBe(keyArn);
    const arn = `arn:aws:scheduler:${LOCAL_REGION}:${LOCAL_ACCOUNT}:schedule/countinghouse-test`;
    expect(ofRole(api).slice(2)).toEqual([
      {
        Action: ["kms:Decrypt", "kms:GenerateDataKey"],
        Effect: "Allow",
        Resource: keys,
        Condition: { StringEquals: { "kms:ViaService": `sqs.${LOCAL_REGION}.amazonaws.com` } },
      },
      {
        Action: "kms:Decrypt",
        Effect: "Allow",
        Resource: keys,
        Condition: {
          ArnEquals: {
            "kms:EncryptionContext:aws:scheduler:schedule:arn": [`${arn}/watch`, `${arn}/expiry`],
          },
        },
      },
    ]);
    const [queue] = resourcesOf(plain, "AWS::SQS::Queue");
    expect(queue?.Properties).toMatchObject({ SqsManagedSseEnabled: true });
  });

  test("knows every endpoint, each issuer once, and the truststore by its version", () => {
    expect(deployed?.environment).toEqual({
      STAGE_NAME: "test",
      CREDENTIALS_TABLE: "countinghouse-test-Credentials",
      SETTINGS_TABLE: "countinghouse-test-Settings",
      ENDPOINT_NAMES: endpoints.map(({ contract }) => contract.name).join(" "),
      TOKEN_JWKS_URLS: "https://identity.test/jwks.json",
      TRUSTSTORE_URL: `https://countinghouse-test-truststore-${LOCAL_ACCOUNT}-${LOCAL_REGION}.s3.${LOCAL_REGION}.amazonaws.com/truststore.pem?versionId=v1`,
    });
    expect(upkeepEnv.safeParse(deployed?.environment).success).toBe(true);
  });

  test("fetches from the address that the endpoints' functions have, however a stage writes it", () => {
    const token = { ...stage.passes.token, jwksUrl: "https://ISSUER.test/a b" };
    const { TOKEN_JWKS_URLS } = upkeepEnvironmentOf(
      { ...stage, passes: { ...stage.passes, token } },
      undefined,
    );
    const { TOKEN_JWKS_URLS: read } = upkeepEnv.parse({
      ...deployed?.environment,
      TOKEN_JWKS_URLS,
    });
    expect(read.map((text) => keptKeySetId(new URL(text)))).toEqual(
      ["https://identity.test/jwks.json", token.jwksUrl].map((text) => keptKeySetId(new URL(text))),
    );
  });
});

describe("its role", () => {
  const policy = ofUpkeep("AWS::IAM::Policy").find((one) => !isOfSchedules(one))?.Properties.PolicyDocument
    .Statement as readonly {
    readonly Action: string | string[];
    readonly Resource: unknown;
  }[];
  const actions = policy.flatMap(({ Action }) => Action);

  test("may write its log, scan credentials, read switches, keep key sets and read truststores of any key and version, and nothing else", () => {
    const own = actions.filter((action) => !/^(?:kms|xray):/.test(action));
    expect(own.sort()).toEqual([
      "dynamodb:GetItem",
      "dynamodb:PutItem",
      "dynamodb:Scan",
      "logs:CreateLogStream",
      "logs:PutLogEvents",
      "s3:GetObject",
      "s3:GetObjectVersion",
    ]);
    const object = policy.find(({ Action }) => Action.includes("s3:GetObjectVersion"))?.Resource;
    expect(textOf(object)).toBe(
      `arn:aws:s3:::countinghouse-test-truststore-${LOCAL_ACCOUNT}-${LOCAL_REGION}/*`,
    );
  });

  const isAllowed = (operation: StoreOperation, table: string, item: object): boolean => {
    const { statements = [] } = deployed?.permissions ?? {};
    const input = { TableName: `countinghouse-test-${table}`, ...item };
    return authorize({ accessKeyId: "", arn: "", statements }, { operation, input }) === undefined;
  };
  const keySet = keptKeySetId(new URL("https://identity.test/jwks.json"));

  test.each<[StoreOperation, string, object, boolean]>([
    ["Scan", "Credentials", {}, true],
    ["GetItem", "Settings", { Key: { id: { S: switchId("get-pass") } } }, true],
    ["PutItem", "Settings", { Item: { id: { S: keySet } } }, true],
    ["PutItem", "Settings", { Item: { id: { S: switchId("get-pass") } } }, false],
    ["PutItem", "Settings", { Item: { id: { S: "market#BTC-USD" } } }, false],
    ["GetItem", "Settings", { Key: { id: { S: "market#BTC-USD" } } }, false],
    ["UpdateItem", "Settings", { Key: { id: { S: keySet } } }, false],
    ["DeleteItem", "Settings", { Key: { id: { S: keySet } } }, false],
    ["Scan", "Settings", {}, false],
    ["PutItem", "Credentials", { Item: { id: { S: "ramp-key#0" } } }, false],
    ["Scan", "Transactions", {}, false],
  ])("%s on %s with %j: %s", (operation, table, item, allowed) => {
    expect(isAllowed(operation, table, item)).toBe(allowed);
  });
});

test("a stage without client certificates has no truststore to read", () => {
  const { domains: _domains, ...plain } = stage;
  expect(upkeepEnvironmentOf({ ...plain, domains: undefined }, undefined)).not.toHaveProperty(
    "TRUSTSTORE_URL",
  );
  expect(upkeep.entry).toBe(`functions/${upkeep.name}.ts`);
});

test("an address of keys fits the key of its item", () => {
  const parsed = (length: number) => () => {
    const jwksUrl = `https://identity.test/${"é".repeat(length)}`;
    return testStage({ passes: { token: { ...stage.passes.token, jwksUrl } } }).passes.token.jwksUrl;
  };
  expect(Buffer.byteLength(keptKeySetId(new URL(parsed(329)())))).toBeLessThan(2_048);
  expect(parsed(330)).toThrow("passes.token.jwksUrl: must have 2000 characters at most");
});
