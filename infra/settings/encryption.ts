import * as z from "zod/mini";
import { matching } from "../../lib/setting-schemas.ts";
import { partitionOf } from "./partition.ts";

/** The key that encrypts tables, logs and backups in place of AWS's own keys. */
export const encryptionSchema = z.strictObject({
  /** A symmetric key of KMS in the stage's region, in this account or in another one. */
  keyArn: matching(
    /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/,
    "must be the ARN of a KMS key, with its id and not an alias",
  ),
});

export type EncryptionSettings = z.infer<typeof encryptionSchema>;

interface Encrypted {
  readonly region?: string | undefined;
  readonly encryption?: EncryptionSettings | undefined;
}

/** Refuses a key that the stage's tables could not use, because it is in another region or partition. */
export const keyIsInPlace: z.core.CheckFn<Encrypted> = ({ value, issues }) => {
  const { region, encryption } = value;
  if (region === undefined || encryption === undefined) return;
  const [, partition, , itsRegion] = encryption.keyArn.split(":");
  if (itsRegion === region && partition === partitionOf(region)) return;
  const message = `must be in the stage's region, which is ${region} of the partition ${partitionOf(region)}`;
  issues.push({ code: "custom", path: ["encryption", "keyArn"], message, input: value, continue: true });
};
