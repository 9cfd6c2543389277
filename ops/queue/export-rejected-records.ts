import type { Command } from "commander";
import * as z from "zod/mini";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { audited } from "../audit/record-change.ts";
import { callersPath } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { printCounts, RejectedCounts, visitRejected } from "./count-rejected.ts";
import { RejectedExport } from "./export-rejected.ts";
import type { OperatorQueues, QueueOptions } from "./queue-client.ts";
import { addQueueOptions, type QueueWork, withQueues } from "./with-queues.ts";

const HELP = `
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
  readonly remove?: true;
}

const shape = z.object({
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

async function exportInto(folder: string, options: Options): Promise<void> {
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
  const counts = new RejectedCounts();
  const written = await RejectedExport.create(folder);
  let removed = 0;
  const interrupted = await visitRejected(queues, async (some, visit) => {
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
  { json }: Options,
): number {
  const { folder, files } = written;
  const exported = counts.total;
  if (json === true)
    printJson(shape, { folder, exported, removed, reasons: counts.byReason(), files: [...files] });
  else {
    printCounts(counts);
    for (const { file, lines } of files)
      console.log(terminalText(`${folder}/${file}: ${inThousands(lines)} lines`));
    if (isRemoval) console.log(`${inThousands(removed)} messages were removed from the queue.`);
    else if (exported > 0) console.log("The messages are still in the queue; --remove removes them.");
  }
  if (interrupted) return exitCodes.interrupted;
  return isRemoval && removed < exported ? exitCodes.someRefused : exitCodes.done;
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
  addQueueOptions(addJsonOption(command, shape, example))
    .addHelpText("after", HELP)
    .action(exportInto);
}
