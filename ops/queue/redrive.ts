import type { Command } from "commander";
import * as z from "zod/mini";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { audited } from "../audit/record-change.ts";
import { untilInterrupt } from "../stop-on-interrupt.ts";
import { confirmed, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { countOf, type Moved, moveBack } from "./move-back.ts";
import type { QueueOptions } from "./queue-client.ts";
import { addQueueOptions, type QueueWork, withQueues } from "./with-queues.ts";

const HELP = `
A message is dead once the function has failed with it five times: look at the function's log first, because a message
whose cause is not mended comes back. A record that can never be stored is not dead: \`rejected list\` shows those.
Where SQS moves the messages itself, it goes on after Ctrl-C, and the command watches the same move when it runs again.

Examples:
  ${commands.ops} redrive --dry-run
  ${commands.ops} redrive --stage prod --yes

Exit codes: 0 moved, or none there, 1 some could not be moved, or the answer was no, 2 the queues failed,
130 stopped by Ctrl-C.`;

const shape = z.object({
  /** In the queue of dead messages before, as far as SQS knows. */
  dead: z.number(),
  moved: z.number(),
  left: z.number(),
  dryRun: z.boolean(),
});

interface Options extends QueueOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

async function redrive(options: Options): Promise<void> {
  process.exitCode = await withQueues(options, (work) => redriveIn(work, options));
}

async function redriveIn(work: QueueWork, options: Options): Promise<number> {
  const { count } = await countOf(work.queues, "dead");
  const tell = (moved: Moved, line: string): void => {
    const { moved: number, left } = moved;
    if (options.json === true)
      printJson(shape, { dead: count, moved: number, left, dryRun: options.dryRun === true });
    else console.log(line);
  };
  if (count === 0 || options.dryRun === true) {
    tell(
      { moved: 0, left: count },
      count === 0 ? "No message is dead." : `${messages(count)} would be moved back.`,
    );
    return exitCodes.done;
  }
  if (!(await confirmed(`Move ${messages(count)} back into the queue of records?`, options))) {
    console.error("Nothing was changed.");
    return exitCodes.someRefused;
  }
  const { result, interrupted } = await move(work, count);
  tell(result, `${messages(result.moved)} moved back, ${inThousands(result.left)} left.`);
  if (result.reason !== undefined) console.error(`Some could not be moved: ${result.reason}`);
  if (interrupted) return exitCodes.interrupted;
  return result.left > 0 ? exitCodes.someRefused : exitCodes.done;
}

async function move({ queues, store }: QueueWork, count: number) {
  const onProgress = (moved: number, total: number): void =>
    showProgress(`${inThousands(moved)} of about ${inThousands(total)} messages moved back`);
  const work = async (stop: AbortSignal) => {
    const result = await moveBack(queues, count, { onProgress, stop });
    return { result, interrupted: stop.aborted };
  };
  return await audited(
    store,
    { command: "redrive", target: "dead messages" },
    () => untilInterrupt(work),
    ({ result: { moved, left }, interrupted }) => ({
      counts: { moved, left },
      ...(interrupted && { outcome: "stopped" as const }),
    }),
  );
}

const messages = (count: number): string => `${inThousands(count)} ${count === 1 ? "message" : "messages"}`;

/** `redrive`: moves dead messages back into the queue of records. */
export function redriveDead(program: Command): void {
  const command = program
    .command("redrive")
    .description("move dead messages back into the queue of records")
    .option("--dry-run", "say how many there are, and move none")
    .addOption(yesOption());
  addQueueOptions(addJsonOption(command, shape, { dead: 3, moved: 3, left: 0, dryRun: false }))
    .addHelpText("after", HELP)
    .action(redrive);
}
