import * as z from "zod/mini";
import { matching, whole } from "../../lib/setting-schemas.ts";

/** The longest time that AWS Backup keeps a recovery point: a hundred years. */
const KEEP_DAYS_MAX = 36_500;

const keepDays = whole(1, KEEP_DAYS_MAX);

/** Daily backups in a vault, beside point-in-time recovery, which ends with its table and its account. */
export const backupSchema = z.strictObject({
  /** How long a backup is kept. */
  keepDays,
  /** Forbids everybody, the account's root included, to delete a backup early. */
  lock: z.optional(
    z.strictObject({
      /** How many days the lock can still be taken away; after that it is there for good. */
      graceDays: whole(3, KEEP_DAYS_MAX, ": AWS Backup gives three days at least"),
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
