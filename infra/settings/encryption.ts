import * as z from "zod/mini";
import { AWS_BACKUP_KEY, type BackupSettings } from "./backup.ts";
import { keyArnSchema } from "./key-arn.ts";
import { partitionOf } from "./partition.ts";

/** The key that encrypts tables, logs and backups in place of AWS's own keys. */
export const encryptionSchema = z.strictObject({
  /** A symmetric key of KMS in the stage's region, in this account or in another one; AWS's own keys unless given. */
  keyArn: z.optional(keyArnSchema),
  /** Keys that functions and operators may use as well, while tables move from one key to another, AWS's included. */
  otherKeyArns: z._default(z.array(keyArnSchema), []),
});

type EncryptionSettings = z.infer<typeof encryptionSchema>;

interface Encrypted {
  readonly region?: string | undefined;
  readonly encryption?: EncryptionSettings | undefined;
  readonly backup?: BackupSettings | undefined;
}

/** The keys that functions and operators may use: the one that encrypts, and those that did or will. */
export const usableKeysOf = ({ encryption }: Pick<Encrypted, "encryption">): readonly string[] => {
  const { keyArn, otherKeyArns = [] } = encryption ?? {};
  return keyArn === undefined ? otherKeyArns : [keyArn, ...otherKeyArns];
};

/** Every key that the stage names, with the path of its setting. */
const keysOf = ({ encryption, backup }: Encrypted) => [
  { path: ["encryption", "keyArn"], arn: encryption?.keyArn },
  ...(encryption?.otherKeyArns ?? []).map((arn, at) => ({
    path: ["encryption", "otherKeyArns", at],
    arn,
  })),
  { path: ["backup", "keyArn"], arn: backup?.keyArn === AWS_BACKUP_KEY ? undefined : backup?.keyArn },
];

/** Refuses keys that the stage's tables and vault could not use, because they are in another region or partition. */
export const keysAreInPlace: z.core.CheckFn<Encrypted> = ({ value, issues }) => {
  const { region } = value;
  if (region === undefined) return;
  const message = `must be in the stage's region, which is ${region} of the partition ${partitionOf(region)}`;
  for (const { path, arn } of keysOf(value)) {
    if (arn === undefined || arn.startsWith(`arn:${partitionOf(region)}:kms:${region}:`)) continue;
    issues.push({ code: "custom", path, message, input: value, continue: true });
  }
};
