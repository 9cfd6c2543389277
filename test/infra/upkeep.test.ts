import { rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { upkeepEnvironmentOf } from "../../infra/environment.ts";
import { upkeep, upkeepSchedules } from "../../infra/upkeep.ts";
import { keptKeySetId } from "../../lib/auth/kept-key-set.ts";
import { switchId } from "../../lib/switches/switch.ts";
import { upkeepEnv, upkeepJobs } from "../../lib/upkeep/settings.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../local/local-account.ts";
import { authorize } from "../../local/store/identity.ts";
import type { StoreOperation } from "../../local/store/wire.ts";
import { readApplication } from "../../local/template/template.ts";
import { resourcesOf, synthesize, testStage, textOf } from "../support/synthesize.ts";
import { threeStages } from "../support/three-stages.ts";

const stage = threeStages["a stage with every setting"];
const { api, directory } = synthesize(stage, { keep: true });
const deployed = readApplication(directory).functions.find(({ name }) => name.endsWith("-report-expiry"));
afterAll(() => rmSync(directory, { recursive: true }));

const ofUpkeep = (type: string) => resourcesOf(api, type).filter(({ id }) => id.startsWith("ReportExpiry"));
const [alias] = ofUpkeep("AWS::Lambda::Alias");

describe("the function that schedules call", () => {
  const rules = ofUpkeep("AWS::Events::Rule");

  test("is called for each job by a rule of its own, which names the job", () => {
    const told = rules.map(({ Properties: { ScheduleExpression, Targets, State } }) => {
      expect([State, Targets.length, textOf(Targets[0].Arn)]).toEqual(["ENABLED", 1, `\${${alias?.id}}`]);
      return [JSON.parse(Targets[0].Input).job, ScheduleExpression];
    });
    expect(Object.fromEntries(told)).toEqual({ watch: "rate(4 minutes)", expiry: "cron(0 5 * * ? *)" });
    expect(told).toHaveLength(upkeepJobs.length);
  });

  test("keeps a set that stays well below ten minutes, even if every second run fails", () => {
    expect(2 * upkeepSchedules.watch.everyMinutes).toBeLessThan(9);
  });

  test("may be called by its own rules alone", () => {
    const permissions = ofUpkeep("AWS::Lambda::Permission").map(({ Properties }) => Properties);
    expect(permissions.map(({ SourceArn }) => textOf(SourceArn)).sort()).toEqual(
      rules.map(({ id }) => `\${${id}.Arn}`).sort(),
    );
    for (const { Action, Principal } of permissions)
      expect([Action, Principal]).toEqual(["lambda:InvokeFunction", "events.amazonaws.com"]);
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
  const policy = ofUpkeep("AWS::IAM::Policy")[0]?.Properties.PolicyDocument.Statement as readonly {
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
