import { createHash } from "node:crypto";
import { QueueJournal } from "../../local/queue/queue-journal.ts";
import { bodyOf, type FoundMessages, type MessageSearch, shareOf } from "./owned-messages.ts";

/**
 * Finds a tenant's messages in a data directory that this process holds: a service that was stopped has left there what
 * was still in its queues. Removes them when they are to be erased, as in a queue.
 */
export async function searchKeptMessages(
  dataDir: string,
  { tenant, isErasing }: MessageSearch,
): Promise<FoundMessages> {
  const journal = await QueueJournal.open(dataDir);
  try {
    let found = 0;
    for (const { queue, message } of journal.messages) {
      const share = shareOf(message.body, tenant);
      if (share === "nothing") continue;
      found += 1;
      if (!isErasing) continue;
      journal.deleteMessage(message.messageId);
      if (share === "all") continue;
      const body = bodyOf(tenant, share);
      const md5OfBody = createHash("md5").update(body).digest("hex");
      journal.insertMessage(queue, { ...message, body, md5OfBody });
    }
    if (isErasing) journal.dropDeleted();
    return { found, remaining: isErasing ? 0 : found };
  } finally {
    journal.close();
  }
}
