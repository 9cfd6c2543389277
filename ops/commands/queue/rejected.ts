import type { Command } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../../lib/clock.ts";
import { rejectionReasons } from "../../../lib/ingest/rejection.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { commands } from "../../../local/installation.ts";
import { audited } from "../../audit/record-change.ts";
import { stopOnInterrupt } from "../../import/stop-on-interrupt.ts";
import { inThousands } from "../../import/tally.ts";
import { RejectedExport } from "../../queue/export-rejected.ts";
import type { OperatorQueues, QueueOptions } from "../../queue/queue-client.ts";
import { KIND_WORDS, type RejectedMessage, rejectedMessageOf } from "../../queue/rejected-message.ts";
import { MessageVisit } from "../../queue/visit-messages.ts";
import { addQueueOptions, type QueueWork, withQueues, withQueuesToLookAt } from "../../queue/with-queues.ts";
import { callersPath } from "../../store/store-options.ts";
import { addJsonOption, printJson } from "../../terminal/json-output.ts";
import { exitCodes } from "../../terminal/operator-error.ts";
import { showProgress } from "../../terminal/show-progress.ts";
import { printTable } from "../../terminal/write-table.ts";

const LIST_HELP = `
Reads all messages of the rejected queue, and leaves them there. While it reads, another command sees fewer of them.

Example:
  ${commands.ops} rejected list

Exit codes: 0 listed, 2 the queues failed, 130 stopped by Ctrl-C.`;

const EXPORT_HELP = `
Writes the rejected records into a new folder that only you can read: a file for each kind and owner, one record a line,
as \`import\` and \`send\` take it, and reasons.ndjson, which says for each line of each file why it was rejected. Correct
the records, then import or send the files. A message that was rejected as a whole is in messages.ndjson.
The messages stay in the queue unless --remove is given. Then each is removed once its record is on the disk, so that none
is lost whenever the command ends.

Example:
  ${commands.ops} rejected export rejected-2026-11-28 --remove

Exit codes: 0 exported, 1 some could not be removed, 2 the queues or the disk failed, 130 stopped by Ctrl-C.`;

interface Options extends QueueOptions {
  readonly json?: true;
}

interface ExportOptions extends Options {
  readonly remove?: true;
}

/** Rejected messages of one reason, kind and owner. */
const row = z.object({
  reason: z.string(),
  kind: z.nullable(z.string()),
  owner: z.nullable(z.string()),
  count: z.number(),
});
const listShape = z.object({ rejected: z.number(), rows: z.array(row) });
const exportShape = z.object({
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
});

type Row = z.infer<typeof row>;

/** Counts rejected messages by what sets them apart. */
class Counts {
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

/** Sees every rejected message once. Those that are not removed can be received again afterwards. */
async function visitAll(
  queues: OperatorQueues,
  see: (some: readonly RejectedMessage[], visit: MessageVisit) => Promise<void>,
) {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => console.error("\nStopping."));
  const visit = new MessageVisit(queues, "rejected");
  let seen = 0;
  try {
    for await (const messages of visit.messages(stop.signal)) {
      await see(messages.map(rejectedMessageOf), visit);
      seen += messages.length;
      showProgress(`${inThousands(seen)} rejected messages`);
    }
  } finally {
    await visit.end();
    showProgress("");
    interrupt.forget();
  }
  return interrupt.happened();
}

async function list(options: Options): Promise<void> {
  const counts = new Counts();
  const interrupted = await withQueuesToLookAt(options, (queues) =>
    visitAll(queues, async (some) => {
      for (const message of some) counts.add(message);
    }),
  );
  if (options.json === true) printJson(listShape, { rejected: counts.total, rows: [...counts.rows] });
  else printRows(counts);
  process.exitCode = interrupted ? exitCodes.interrupted : exitCodes.done;
}

function printRows(counts: Counts): void {
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

async function exportInto(folder: string, options: ExportOptions): Promise<void> {
  const place = callersPath(folder);
  process.exitCode = await withQueues(options, async (work) => {
    const { remove } = options;
    const outcome = await (remove === true
      ? exportAudited(work, place)
      : exportAll(work.queues, place, false));
    return tellExport(outcome, options);
  });
}

type Exported = Awaited<ReturnType<typeof exportAll>>;

const exportAudited = ({ store, queues }: QueueWork, folder: string): Promise<Exported> =>
  audited(
    store,
    { command: "rejected export", target: "rejected messages" },
    () => exportAll(queues, folder, true),
    ({ counts, removed, interrupted }) => ({
      counts: { exported: counts.total, removed },
      ...(interrupted && { outcome: "stopped" as const }),
    }),
  );

async function exportAll(queues: OperatorQueues, folder: string, isRemoval: boolean) {
  const counts = new Counts();
  const written = await RejectedExport.create(folder);
  let removed = 0;
  const interrupted = await visitAll(queues, async (some, visit) => {
    for (const message of some) {
      await written.add(message);
      counts.add(message);
    }
    if (!isRemoval) return;
    await written.sync();
    const ids = some.map(({ id }) => id);
    removed += ids.length - (await visit.remove(ids)).length;
  });
  await written.close();
  return { written, counts, removed, interrupted, isRemoval };
}

function tellExport(
  { written, counts, removed, interrupted, isRemoval }: Exported,
  { json }: ExportOptions,
): number {
  const { folder, files } = written;
  const exported = counts.total;
  if (json === true)
    printJson(exportShape, { folder, exported, removed, reasons: counts.byReason(), files: [...files] });
  else {
    printRows(counts);
    for (const { file, lines } of files) console.log(`${folder}/${file}: ${inThousands(lines)} lines`);
    if (isRemoval) console.log(`${inThousands(removed)} messages were removed from the queue.`);
    else if (exported > 0) console.log("The messages are still in the queue; --remove removes them.");
  }
  if (interrupted) return exitCodes.interrupted;
  return isRemoval && removed < exported ? exitCodes.someRefused : exitCodes.done;
}

/** `rejected list`: counts the rejected records by reason, kind and owner. */
export function listRejected(group: Command): void {
  const command = group.command("list").description("count the rejected records by reason, kind and owner");
  const example = {
    rejected: 3,
    rows: [{ reason: "invalid_record", kind: "transactions", owner: "acme", count: 3 }],
  };
  addQueueOptions(addJsonOption(command, listShape, example))
    .addHelpText("after", LIST_HELP)
    .action(list);
}

/** `rejected export`: writes the rejected records into files, to be corrected and sent again. */
export function exportRejected(group: Command): void {
  const command = group
    .command("export")
    .description("write the rejected records into files that import and send take")
    .argument("<folder>", "a new folder, or an empty one")
    .option("--remove", "remove each message from the queue once its record is on the disk");
  const example = {
    folder: "/home/me/rejected-2026-11-28",
    exported: 3,
    removed: 3,
    reasons: { invalid_record: 3 },
    files: [{ file: "transactions.acme.ndjson", kind: "transactions", owner: "acme", lines: 3 }],
  };
  addQueueOptions(addJsonOption(command, exportShape, example))
    .addHelpText("after", EXPORT_HELP)
    .action(exportInto);
}
