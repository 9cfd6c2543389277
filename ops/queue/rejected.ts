import * as z from "zod/mini";
import { rejectionReasons } from "../../lib/ingest/rejection.ts";
import { ownMember } from "../../lib/own-member.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { type Context, defineCommand, type Shown } from "../command.ts";
import { callersPath } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { RejectedExport } from "./export-rejected.ts";
import { KIND_WORDS, type RejectedMessage, rejectedMessageOf } from "./rejected-message.ts";
import { type MessageVisit, visitMessages } from "./visit-messages.ts";

/** Rejected messages of one reason, kind and owner. */
const rowShape = z.object({
  reason: z.string(),
  kind: z.nullable(z.string()),
  owner: z.nullable(z.string()),
  count: z.number(),
});

type Row = z.infer<typeof rowShape>;

/** Counts rejected messages by what sets them apart. */
class RejectedCounts {
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

  /** The counts as a table. */
  shown(): Shown {
    if (this.total === 0) return "No record is rejected.";
    const rows = this.rows.map(({ reason, kind, owner, count }) => [
      inThousands(count),
      kind ?? "messages",
      owner ?? "",
      reason,
      ownMember<string>(rejectionReasons, reason) ?? "",
    ]);
    return { head: ["COUNT", "KIND", "OWNER", "REASON", "WHICH MEANS"], rows };
  }
}

/** Sees every rejected message once. Those that are not removed can be received again afterwards. */
async function visitRejected(
  { queues: open, stoppable, progress }: Context<never>,
  see: (some: readonly RejectedMessage[], visit: MessageVisit) => Promise<void>,
): Promise<void> {
  const queues = await open();
  let seen = 0;
  await stoppable((stop) =>
    visitMessages(queues, "rejected", stop, async (messages, visit) => {
      await see(messages.map(rejectedMessageOf), visit);
      seen += messages.length;
      progress(`${inThousands(seen)} rejected messages`);
    }),
  );
}

/** `rejected list`: counts the rejected records by reason, kind and owner. */
export const listRejected = defineCommand({
  words: "rejected list",
  summary: "count the rejected records by reason, kind and owner",
  about: `
Reads all messages of the rejected queue, and leaves them there. While it reads, another command sees fewer of them.`,
  examples: ["ops rejected list"],
  exits: { 0: "listed", 2: "the queues failed" },
  on: "queues",
  stops: "Stopping.",
  json: {
    shape: z.object({ rejected: z.number(), rows: z.array(rowShape) }),
    example: {
      rejected: 3,
      rows: [{ reason: "invalid_record", kind: "transactions", owner: "acme", count: 3 }],
    },
  },
  async run(_, context) {
    const counts = new RejectedCounts();
    await visitRejected(context, async (some) => {
      for (const message of some) counts.add(message);
    });
    return { json: { rejected: counts.total, rows: counts.rows }, text: counts.shown() };
  },
});

/** `rejected export`: writes the rejected records into files, to be corrected and sent again. */
export const exportRejected = defineCommand({
  words: "rejected export",
  summary: "write the rejected records into files that import and send take",
  about: `
Writes the rejected records into a new folder that only you can read: a file for each kind and owner, one record a line,
as \`import\` and \`send\` take it, and reasons.ndjson, which says for each line of each file why it was rejected. Correct
the records, then import or send the files. A message that was rejected as a whole is in messages.ndjson.
The messages stay in the queue unless --remove is given. Then each is removed once its record is on the disk, so that none
is lost whenever the command ends.`,
  examples: ["ops rejected export rejected-2026-11-28 --remove"],
  exits: { 0: "exported", 1: "some could not be removed", 2: "the queues or the disk failed" },
  on: "queues",
  takes: {
    "<folder>": { text: "a new folder, or an empty one", parse: callersPath },
    "--remove": "remove each message from the queue once its record is on the disk",
  },
  stops: "Stopping.",
  json: {
    shape: z.object({
      folder: z.string(),
      exported: z.number(),
      removed: z.number(),
      reasons: z.record(z.string(), z.number()),
      files: z.array(
        z.object({
          file: z.string(),
          kind: z.nullable(z.string()),
          owner: z.nullable(z.string()),
          lines: z.number(),
        }),
      ),
    }),
    example: {
      folder: "/home/me/rejected-2026-11-28",
      exported: 3,
      removed: 3,
      reasons: { invalid_record: 3 },
      files: [{ file: "transactions.acme.ndjson", kind: "transactions", owner: "acme", lines: 3 }],
    },
  },
  async run({ folder, remove }, context) {
    const counts = new RejectedCounts();
    const exportAll = async () => {
      const written = await RejectedExport.create(folder);
      let removed = 0;
      await visitRejected(context, async (some, visit) => {
        for (const message of some) {
          await written.add(message);
          counts.add(message);
        }
        if (!remove) return;
        await written.sync();
        const ids = some.map(({ id }) => id);
        removed += ids.length - (await visit.remove(ids)).length;
      });
      await written.close();
      return { files: written.files, removed };
    };
    const { files, removed } = await (remove
      ? context.audited({ target: "rejected messages" }, exportAll, (done) => ({
          counts: { exported: counts.total, removed: done.removed },
        }))
      : exportAll());
    const exported = counts.total;
    const stay = exported > 0 ? ["The messages are still in the queue; --remove removes them."] : [];
    return {
      json: { folder, exported, removed, reasons: counts.byReason(), files },
      text: [
        counts.shown(),
        ...files.map(({ file, lines }) => terminalText(`${folder}/${file}: ${inThousands(lines)} lines`)),
        ...(remove ? [`${inThousands(removed)} messages were removed from the queue.`] : stay),
      ],
      ...(remove && removed < exported && !context.isStopped() && { exitCode: exitCodes.someRefused }),
    };
  },
});
