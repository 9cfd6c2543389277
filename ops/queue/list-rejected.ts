import type { Command } from "commander";
import * as z from "zod/mini";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { printCounts, RejectedCounts, rejectedRow, visitRejected } from "./count-rejected.ts";
import type { QueueOptions } from "./queue-client.ts";
import { addQueueOptions, withQueuesToLookAt } from "./with-queues.ts";

const HELP = `
Reads all messages of the rejected queue, and leaves them there. While it reads, another command sees fewer of them.

Example:
  ${commands.ops} rejected list

Exit codes: 0 listed, 2 the queues failed, 130 stopped by Ctrl-C.`;

interface Options extends QueueOptions {
  readonly json?: true;
}

const shape = z.object({ rejected: z.number(), rows: z.array(rejectedRow) });

async function list(options: Options): Promise<void> {
  const counts = new RejectedCounts();
  const interrupted = await withQueuesToLookAt(options, (queues) =>
    visitRejected(queues, async (some) => {
      for (const message of some) counts.add(message);
    }),
  );
  if (options.json === true) printJson(shape, { rejected: counts.total, rows: [...counts.rows] });
  else printCounts(counts);
  process.exitCode = interrupted ? exitCodes.interrupted : exitCodes.done;
}

/** `rejected list`: counts the rejected records by reason, kind and owner. */
export function listRejected(group: Command): void {
  const command = group.command("list").description("count the rejected records by reason, kind and owner");
  const example = {
    rejected: 3,
    rows: [{ reason: "invalid_record", kind: "transactions", owner: "acme", count: 3 }],
  };
  addQueueOptions(addJsonOption(command, shape, example))
    .addHelpText("after", HELP)
    .action(list);
}
