import { matching } from "../../lib/setting-schemas.ts";

/** The ARN of a key of KMS. Not an alias: permissions name keys, and an alias may come to name another one. */
export const keyArnSchema = matching(
  /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/,
  "must be the ARN of a KMS key, with its id and not an alias",
);
