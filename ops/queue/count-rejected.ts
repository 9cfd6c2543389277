import * as z from "zod/mini";
import { rejectionReasons } from "../../lib/ingest/rejection.ts";
import { ownMember } from "../../lib/own-member.ts";
import { inThousands } from "../../local/records/tally.ts";
import { untilInterrupt } from "../stop-on-interrupt.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { printTable } from "../terminal/write-table.ts";
import type { OperatorQueues } from "./queue-client.ts";
import { KIND_WORDS, type RejectedMessage, rejectedMessageOf } from "./rejected-message.ts";
import { type MessageVisit, visitMessages } from "./visit-messages.ts";

/** Rejected messages of one reason, kind and owner. */
export const rejectedRow = z.object({
  reason: z.string(),
  kind: z.nullable(z.string()),
  owner: z.nullable(z.string()),
  count: z.number(),
});

type Row = z.infer<typeof rejectedRow>;

/** Counts rejected messages by what sets them apart. */
export class RejectedCounts {
  readonly #rows = new Map<string, Row>();

  add({ reason, record }: RejectedMessage): void {
    const kind = record === undefined ? null : KIND_WORDS[record.head.kind];
    const owner = record?.head.owner ?? null;
    const key = JSON.stringify([reason, kind, owner]);
    this.#rows.set(key, { reason, kind, owner, count: (this.#rows.get(key)?.count ?? 0) + 1 });
  }

  /** The most frequent first. */
  get rows(): readonly Row[] {
    return [...this.#rows.values()].sort((a, b) => b.count - a.count);
  }

  get total(): number {
    return this.rows.reduce((sum, { count }) => sum + count, 0);
  }

  byReason(): Record<string, number> {
    const counts = new Map<string, number>();
    for (const { reason, count } of this.rows) counts.set(reason, (counts.get(reason) ?? 0) + count);
    return Object.fromEntries(counts);
  }
}

/** Prints the counts as a table. */
export function printCounts(counts: RejectedCounts): void {
  if (counts.total === 0) {
    console.log("No record is rejected.");
    return;
  }
  const rows = counts.rows.map(({ reason, kind, owner, count }) => [
    inThousands(count),
    kind ?? "messages",
    owner ?? "",
    reason,
    ownMember<string>(rejectionReasons, reason) ?? "",
  ]);
  printTable({ head: ["COUNT", "KIND", "OWNER", "REASON", "WHICH MEANS"], rows });
}

/**
 * Sees every rejected message once. Those that are not removed can be received again afterwards.
 *
 * @returns whether Ctrl-C ended it.
 */
export async function visitRejected(
  queues: OperatorQueues,
  see: (some: readonly RejectedMessage[], visit: MessageVisit) => Promise<void>,
): Promise<boolean> {
  let seen = 0;
  return await untilInterrupt(async (stop) => {
    await visitMessages(queues, "rejected", stop, async (messages, visit) => {
      await see(messages.map(rejectedMessageOf), visit);
      seen += messages.length;
      showProgress(`${inThousands(seen)} rejected messages`);
    });
    return stop.aborted;
  });
}
