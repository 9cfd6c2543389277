import { describe, expect, test } from "vitest";
import { type TableName, tables } from "../../lib/dynamo/tables.ts";
import { disposable, resourcesOf, synthesize, testStage } from "../support/synthesize.ts";

const vaultArn = "arn:aws:backup:eu-central-1:999999999999:backup-vault:central";
const backedUp = (Object.keys(tables) as TableName[]).filter(
  (name) => !["RateLimits", "Imports"].includes(name),
);
const dataOf = (settings: Readonly<Record<string, unknown>>) => synthesize(testStage(settings)).data;
const full = { keepDays: 90, lock: { graceDays: 3 }, copyTo: { vaultArn, keepDays: 365 } };

describe("backups in a vault", () => {
  const data = dataOf({ backup: full });
  const [vault] = resourcesOf(data, "AWS::Backup::BackupVault");

  test("are there only when the stage asks for them", () => {
    expect(Object.values(dataOf({}).Resources).map(({ Type }) => Type)).not.toContain(
      "AWS::Backup::BackupVault",
    );
  });

  test("are made every night and kept as long as the stage says, here and in the other vault", () => {
    const [plan] = resourcesOf(data, "AWS::Backup::BackupPlan");
    expect(plan?.Properties.BackupPlan.BackupPlanRule).toMatchObject([
      {
        ScheduleExpression: "cron(0 3 * * ? *)",
        TargetBackupVault: { "Fn::GetAtt": [vault?.id, "BackupVaultName"] },
        Lifecycle: { DeleteAfterDays: 90 },
        CopyActions: [{ DestinationBackupVaultArn: vaultArn, Lifecycle: { DeleteAfterDays: 365 } }],
      },
    ]);
  });

  test("are made of every table but limits and journals, and of its restored copies", () => {
    const [selection] = resourcesOf(data, "AWS::Backup::BackupSelection");
    const arns: string[] = selection?.Properties.BackupSelection.Resources;
    const selects = (name: string) =>
      arns.some((arn) =>
        new RegExp(`:table/${arn.split("/")[1]?.replace("*", ".*")}$`).test(`:table/${name}`),
      );
    for (const table of backedUp) {
      expect(selects(`countinghouse-test-${table}`)).toBe(true);
      expect(selects(`countinghouse-test-${table}-r7`)).toBe(true);
    }
    for (const table of ["RateLimits", "Imports"]) expect(selects(`countinghouse-test-${table}`)).toBe(false);
    expect(selects("countinghouse-test2-Trades")).toBe(false);
  });

  test("cannot be deleted before their time once the days of grace are over", () => {
    expect(vault?.Properties.LockConfiguration).toEqual({ MinRetentionDays: 90, ChangeableForDays: 3 });
    expect(vault).toMatchObject({ DeletionPolicy: "RetainExceptOnCreate", UpdateReplacePolicy: "Retain" });
  });

  test("may be kept for longer than the vault was locked for, whose days never change", () => {
    const longer = { keepDays: 180, lock: { graceDays: 3, keepDays: 90 } };
    const [locked] = resourcesOf(dataOf({ backup: longer }), "AWS::Backup::BackupVault");
    expect(locked?.Properties.LockConfiguration).toEqual(vault?.Properties.LockConfiguration);
  });

  test("can be restored by the role that makes them, whose ARN the stack tells", () => {
    const [role] = resourcesOf(data, "AWS::IAM::Role");
    expect(JSON.stringify(role?.Properties.ManagedPolicyArns)).toContain(
      "AWSBackupServiceRolePolicyForRestores",
    );
    const told = Object.entries(data.Outputs ?? {}).filter(([name]) => name.includes("RestoreRole"));
    expect(told).toEqual([
      [expect.any(String), expect.objectContaining({ Value: { "Fn::GetAtt": [role?.id, "Arn"] } })],
    ]);
  });

  test("need no lock and no copy, and go with a disposable stage", () => {
    const [plain] = resourcesOf(
      dataOf({ ...disposable, backup: { keepDays: 1 } }),
      "AWS::Backup::BackupVault",
    );
    expect(plain?.Properties.LockConfiguration).toBeUndefined();
    expect(plain?.DeletionPolicy).toBe("Delete");
  });

  test.each([
    ["no time", { keepDays: 0 }, "backup.keepDays"],
    [
      "a lock that AWS Backup does not make",
      { keepDays: 1, lock: { graceDays: 2 } },
      "backup.lock.graceDays",
    ],
    [
      "less time than the vault is locked for",
      { keepDays: 30, lock: { graceDays: 3, keepDays: 90 } },
      "backup.keepDays",
    ],
    [
      "a bucket for a vault",
      { keepDays: 1, copyTo: { vaultArn: "arn:aws:s3:::b", keepDays: 1 } },
      "backup.copyTo.vaultArn",
    ],
  ])("are refused with %s", (_, backup, path) => {
    expect(() => testStage({ backup })).toThrow(`  ${path}: `);
  });

  test("are refused with a lock in a disposable stage, which could not be deleted", () => {
    expect(() => testStage({ ...disposable, backup: full })).toThrow("  backup.lock: must be left out");
  });
});
