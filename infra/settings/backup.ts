import * as z from "zod/mini";
import { matching, whole } from "../../lib/setting-schemas.ts";
import { keyArnSchema } from "./key-arn.ts";

/** The longest time that AWS Backup keeps a recovery point: a hundred years. */
const KEEP_DAYS_MAX = 36_500;

/** The key of AWS's own that encrypts a vault which was made without another one. */
export const AWS_BACKUP_KEY = "aws/backup";

const KEY_RULE = `must be "${AWS_BACKUP_KEY}" or the ARN of a KMS key, with its id and not an alias`;

const keepDays = whole(1, KEEP_DAYS_MAX);

/** Daily backups in a vault, beside point-in-time recovery, which ends with its table and its account. */
export const backupSchema = z.strictObject({
  /** How long a backup is kept. */
  keepDays,
  /**
   * The key that the vault was made with, if it is not `encryption.keyArn`. A vault keeps its key: CloudFormation
   * replaces one whose key changes, and its name is taken.
   */
  keyArn: z.optional(z.union([z.literal(AWS_BACKUP_KEY), keyArnSchema], KEY_RULE)),
  /** Forbids everybody, the account's root included, to delete a backup early. */
  lock: z.optional(
    z.strictObject({
      /** How many days the lock can still be taken away; after that it is there for good. */
      graceDays: whole(3, KEEP_DAYS_MAX, ": AWS Backup gives three days at least"),
      /** The days that the lock was made with, where `keepDays` is not them any more: a lock keeps its days for good. */
      keepDays: z.optional(keepDays),
    }),
  ),
  /** A vault, best of another account, that gets a copy of each backup. */
  copyTo: z.optional(
    z.strictObject({
      vaultArn: matching(
        /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[A-Za-z0-9_-]{2,50}$/,
        "must be the ARN of a backup vault",
      ),
      keepDays,
    }),
  ),
});

export type BackupSettings = z.infer<typeof backupSchema>;

interface Backed {
  readonly disposable: boolean;
  readonly backup?: BackupSettings | undefined;
}

/** Refuses a lock that no stack could be deleted with, and one that would refuse every backup. */
export const lockFits: z.core.CheckFn<Backed> = ({ value, issues }) => {
  const { lock, keepDays: kept = 0 } = value.backup ?? {};
  if (lock === undefined) return;
  const refuse = (path: readonly string[], message: string) =>
    issues.push({ code: "custom", path: ["backup", ...path], message, input: value, continue: true });
  if (value.disposable)
    refuse(["lock"], "must be left out of a disposable stage, because a locked vault cannot be deleted");
  if (lock.keepDays !== undefined && lock.keepDays > kept)
    refuse(["keepDays"], `must be at least ${lock.keepDays}, for which the vault is locked`);
};
