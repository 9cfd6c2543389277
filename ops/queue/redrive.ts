import * as z from "zod/mini";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { defineCommand } from "../command.ts";
import { countOf, type Moved, moveBack } from "./move-back.ts";

const messages = (count: number): string => `${inThousands(count)} ${count === 1 ? "message" : "messages"}`;

/** `redrive`: moves dead messages back into the queue of records. */
export const redriveDead = defineCommand({
  words: "redrive",
  summary: "move dead messages back into the queue of records",
  about: `
A message is dead once the function has failed with it five times: look at the function's log first, because a message
whose cause is not mended comes back. A record that can never be stored is not dead: \`rejected list\` shows those.
Where SQS moves the messages itself, it goes on after Ctrl-C, and the command watches the same move when it runs again.`,
  examples: ["ops redrive --dry-run", "ops redrive --stage prod --yes"],
  exits: {
    0: "moved, or none there",
    1: "some could not be moved, or the answer was no",
    2: "the queues failed",
  },
  on: "queues",
  dryRun: "say how many there are, and move none",
  asks: true,
  stops: "Stopping.",
  json: {
    shape: z.object({
      /** In the queue of dead messages before, as far as SQS knows. */
      dead: z.number(),
      moved: z.number(),
      left: z.number(),
      dryRun: z.boolean(),
    }),
    example: { dead: 3, moved: 3, left: 0, dryRun: false },
  },
  async run({ dryRun }, { queues: open, confirm, audited, stoppable, isStopped, progress }) {
    const queues = await open();
    const { count } = await countOf(queues, "dead");
    if (count === 0 || dryRun)
      return {
        json: { dead: count, moved: 0, left: count, dryRun },
        text: count === 0 ? "No message is dead." : `${messages(count)} would be moved back.`,
      };
    await confirm(`Move ${messages(count)} back into the queue of records?`);
    let far: Moved = { moved: 0, left: count };
    const onProgress = (moved: number, total: number): void => {
      far = { moved, left: Math.max(0, total - moved) };
      progress(`${inThousands(moved)} of about ${inThousands(total)} messages moved back`);
    };
    const { moved, left, reason } = await audited(
      { target: "dead messages" },
      async () => (await stoppable((stop) => moveBack(queues, count, { onProgress, stop }))) ?? far,
      (end) => ({ counts: { moved: end.moved, left: end.left } }),
    );
    return {
      json: { dead: count, moved, left, dryRun },
      text: `${messages(moved)} moved back, ${inThousands(left)} left.`,
      remark: reason === undefined ? undefined : `Some could not be moved: ${reason}`,
      ...(!isStopped() && { exitCode: left > 0 ? exitCodes.someRefused : exitCodes.done }),
    };
  },
});
