import * as z from "zod/mini";
import { matching } from "../../lib/setting-schemas.ts";

const roleArn = matching(
  /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
  "must be the ARN of an IAM role, such as arn:aws:iam::123456789012:role/settlement",
);

/** How records come in by messages. Without it, a stage has no queue and no function for them. */
export const ingestSchema = z.strictObject({
  /** The roles that may put messages into the queue, of this account or of others. */
  producers: z.array(roleArn).check(
    z.minLength(1, "must name a role"),
    z.refine((list) => new Set(list).size === list.length, "must not name a role twice"),
  ),
});
