import { describe, expect, test } from "vitest";
import { FUNCTION_COUNT, isOfSchedules, resourcesOf, synthesize, testStage } from "../support/synthesize.ts";

const keyArn = "arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const { api, data } = synthesize(testStage({ encryption: { keyArn }, backup: { keepDays: 30 } }));

describe("a stage with a key of its own", () => {
  test("encrypts every table, every log and the backups with it", () => {
    const tables = resourcesOf(data, "AWS::DynamoDB::GlobalTable");
    expect(tables.length).toBeGreaterThan(0);
    for (const { Properties } of tables) {
      expect(Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: "KMS" });
      expect(Properties.Replicas[0].SSESpecification).toEqual({ KMSMasterKeyId: keyArn });
    }
    const logs = resourcesOf(api, "AWS::Logs::LogGroup");
    expect(logs).toHaveLength(FUNCTION_COUNT + 1);
    for (const { Properties } of logs) expect(Properties.KmsKeyId).toBe(keyArn);
    expect(resourcesOf(data, "AWS::Backup::BackupVault")[0]?.Properties.EncryptionKeyArn).toBe(keyArn);
  });

  test("lets each function use the key by way of DynamoDB in this region, and in no other way", () => {
    const policies = resourcesOf(api, "AWS::IAM::Policy").filter((policy) => !isOfSchedules(policy));
    expect(policies).toHaveLength(FUNCTION_COUNT);
    for (const { Properties } of policies) {
      const statements: { Action: string | string[]; Resource: unknown; Condition?: unknown }[] =
        Properties.PolicyDocument.Statement;
      const aboutKeys = statements.filter(({ Action }) => JSON.stringify(Action).includes("kms:"));
      expect(aboutKeys).toEqual([
        {
          Action: ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"],
          Effect: "Allow",
          Resource: keyArn,
          Condition: { StringEquals: { "kms:ViaService": "dynamodb.eu-central-1.amazonaws.com" } },
        },
      ]);
    }
  });
});

describe("a stage whose tables move to another key", () => {
  const other = keyArn.replace("1234abcd", "0987dcba");
  const encryption = { keyArn, otherKeyArns: [other] };

  test("lets operators use both keys, so that they read each table before it moves and after", () => {
    const policies = resourcesOf(synthesize(testStage({ encryption })).operators, "AWS::IAM::ManagedPolicy");
    expect(policies).not.toEqual([]);
    for (const { Properties } of policies) {
      const statements: { Action: string | string[]; Resource: unknown }[] =
        Properties.PolicyDocument.Statement;
      const keys = statements.filter(({ Action }) => JSON.stringify(Action).includes("kms:"));
      expect(keys.length).toBeGreaterThan(0);
      for (const { Resource } of keys) expect(Resource).toEqual([other, keyArn]);
    }
  });

  test("encrypts nothing with the other key", () => {
    const moving = synthesize(testStage({ encryption, backup: { keepDays: 30 } }));
    expect(JSON.stringify(moving.data)).not.toContain(other);
    for (const { Properties } of resourcesOf(moving.api, "AWS::Logs::LogGroup"))
      expect(Properties.KmsKeyId).toBe(keyArn);
  });

  test.each([
    ["the other one", other, other],
    ["AWS's", "aws/backup", undefined],
  ])("leaves the vault its key, %s, because another key would replace the vault", (_, given, key) => {
    const moving = synthesize(testStage({ encryption, backup: { keepDays: 30, keyArn: given } }));
    const [vault] = resourcesOf(moving.data, "AWS::Backup::BackupVault");
    expect(vault?.Properties.EncryptionKeyArn).toBe(key);
  });
});

test("a stage that comes from AWS's keys, or goes back to them, lets functions and operators use its key, and encrypts nothing with it", () => {
  const [between, plain] = [{ encryption: { otherKeyArns: [keyArn] } }, {}].map((settings) =>
    synthesize(testStage(settings)),
  );
  expect([between?.data, between?.alarms]).toEqual([plain?.data, plain?.alarms]);
  expect(JSON.stringify(between?.api)).not.toMatch(/KmsKeyId|KmsKeyArn|KmsMasterKeyId/);
  const policiesOf = (one: typeof plain) => [
    ...resourcesOf(one?.api ?? { Resources: {} }, "AWS::IAM::Policy"),
    ...resourcesOf(one?.operators ?? { Resources: {} }, "AWS::IAM::ManagedPolicy"),
  ];
  const keyed = policiesOf(synthesize(testStage({ encryption: { keyArn } })));
  expect(policiesOf(between)).toEqual(keyed);
});

test("a stage without one names no key, and no function has a permission for any", () => {
  const plain = synthesize(testStage());
  expect(JSON.stringify([plain.api, plain.data])).not.toMatch(/kms:|KmsKeyId|KMSMasterKeyId/);
});

test.each([
  ["an alias", "arn:aws:kms:eu-central-1:123456789012:alias/mine", "must be the ARN of a KMS key"],
  ["a key of another region", keyArn.replace("eu-central-1", "eu-west-1"), "must be in the stage's region"],
  ["a key of another partition", keyArn.replace("arn:aws:", "arn:aws-cn:"), "must be in the stage's region"],
])("%s is refused as a key", (_, given, message) => {
  expect(() => testStage({ encryption: { keyArn: given } })).toThrow(`encryption.keyArn: ${message}`);
  const encryption = { keyArn, otherKeyArns: [keyArn, given] };
  expect(() => testStage({ encryption })).toThrow(`encryption.otherKeyArns.1: ${message}`);
  expect(() => testStage({ backup: { keepDays: 30, keyArn: given } })).toThrow(/ {2}backup\.keyArn: must be/);
});

test("a key may belong to another account, as those of a central team do", () => {
  const theirs = keyArn.replace("123456789012", "999999999999");
  expect(testStage({ encryption: { keyArn: theirs } }).encryption?.keyArn).toBe(theirs);
});

describe("tracing", () => {
  const modes = (settings: Readonly<Record<string, unknown>>) =>
    resourcesOf(synthesize(testStage(settings)).api, "AWS::Lambda::Function").map(
      ({ Properties }) => Properties.TracingConfig?.Mode,
    );

  test("is off unless the stage switches it on, for every function", () => {
    expect(modes({})).toEqual(Array.from({ length: FUNCTION_COUNT }));
    expect(modes({ functions: { tracing: true } })).toEqual(
      Array.from({ length: FUNCTION_COUNT }, () => "Active"),
    );
  });
});
