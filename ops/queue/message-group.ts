import { createHash } from "node:crypto";
import type { MessageHead } from "../../lib/ingest/message.ts";

/** What SQS takes as the name of a group. */
const GROUP = /^[!-~]{1,128}$/;

/**
 * The group of a message, by its kind and owner. A queue that many write to hands out the messages of quiet groups first
 * (fair queues of SQS), so that a large file of one owner holds up no other. An owner that cannot name a group is hashed.
 */
export function groupOf({ kind, owner }: MessageHead): string {
  if (owner === undefined) return kind;
  const plain = `${kind}/${owner}`;
  return GROUP.test(plain) ? plain : `${kind}/${createHash("sha256").update(owner).digest("hex")}`;
}
