import { CfnOutput, Duration, Validations } from "aws-cdk-lib";
import {
  BackupPlan,
  BackupPlanRule,
  BackupVault,
  CfnBackupSelection,
  type IBackupVault,
} from "aws-cdk-lib/aws-backup";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { AWS_BACKUP_KEY, type BackupSettings } from "../settings/backup.ts";
import type { Stage } from "../stage.ts";
import { removalPolicyOf } from "./removal-policy.ts";
import { tableArnsOf } from "./table-statements.ts";

/** AWS Backup's own policies to back a table up and to restore it. Without the second one, no backup could be used. */
const POLICIES = ["Backup", "Restores"].map((work) => `service-role/AWSBackupServiceRolePolicyFor${work}`);

export interface TableBackupsProps {
  readonly stage: Stage;
  readonly backup: BackupSettings;
  /** The tables that are worth keeping. */
  readonly tables: readonly TableName[];
}

/** A backup of each table every night, in a vault of the stage's own, with a copy in another vault if the stage names one. */
export class TableBackups extends Construct {
  constructor(scope: Construct, id: string, { stage, backup, tables }: TableBackupsProps) {
    super(scope, id);
    const role = this.#addRole();
    const plan = new BackupPlan(this, "Plan", {
      backupPlanName: `countinghouse-${stage.name}`,
      backupPlanRules: [this.#nightly(this.#addVault(stage, backup), backup)],
    });
    new CfnBackupSelection(this, "Selection", {
      backupPlanId: plan.backupPlanId,
      backupSelection: {
        selectionName: "tables",
        iamRoleArn: role.roleArn,
        resources: tables.flatMap((table) => tableArnsOf(this, stage, table)),
      },
    });
    new CfnOutput(this, "RestoreRole", {
      value: role.roleArn,
      description: "Role for aws backup start-restore-job",
    });
  }

  #addVault(stage: Stage, backup: BackupSettings): BackupVault {
    const { keepDays, keyArn = stage.encryption?.keyArn, lock } = backup;
    return new BackupVault(this, "Vault", {
      backupVaultName: `countinghouse-${stage.name}`,
      removalPolicy: removalPolicyOf(stage),
      ...(keyArn !== undefined &&
        keyArn !== AWS_BACKUP_KEY && {
          encryptionKey: Key.fromKeyArn(this, "OwnKey", keyArn),
        }),
      ...(lock !== undefined && {
        lockConfiguration: {
          minRetention: Duration.days(lock.keepDays ?? keepDays),
          changeableFor: Duration.days(lock.graceDays),
        },
      }),
    });
  }

  #nightly(backupVault: IBackupVault, { keepDays, copyTo }: BackupSettings): BackupPlanRule {
    return new BackupPlanRule({
      ruleName: "nightly",
      backupVault,
      deleteAfter: Duration.days(keepDays),
      scheduleExpression: Schedule.cron({ hour: "3", minute: "0" }),
      ...(copyTo !== undefined && {
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(this, "Copies", copyTo.vaultArn),
            deleteAfter: Duration.days(copyTo.keepDays),
          },
        ],
      }),
    });
  }

  #addRole(): Role {
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("backup.amazonaws.com"),
      managedPolicies: POLICIES.map((policy) => ManagedPolicy.fromAwsManagedPolicyName(policy)),
    });
    for (const policy of POLICIES)
      Validations.of(role).acknowledge({
        id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
        reason: "AWS keeps this policy for just this work: it follows what AWS Backup needs for a table.",
      });
    return role;
  }
}
