import * as z from "zod/mini";
import { exitCodes } from "../../local/process/operator-error.ts";
import { countRows, inThousands, linesPerSecond } from "../../local/records/tally.ts";
import type { Context, Result } from "../command.ts";
import { announceNewcomer } from "../import/announce-newcomer.ts";
import { readFile } from "../import/read-file.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import type { OperatorQueues } from "./queue-client.ts";
import { sendBatch } from "./send-batch.ts";
import { readerOf, type SendOrder } from "./send-kinds.ts";
import { RecordSender } from "./send-records.ts";

const shape = z.object({
  sent: z.number(),
  messages: z.number(),
  refused: z.number(),
  skipped: z.number(),
  dryRun: z.boolean(),
  /** The file that lists the refused lines; null when none was refused. */
  rejects: z.nullable(z.string()),
  /** The first line that may not have been sent; null when all were. */
  nextLine: z.nullable(z.number()),
  tookMs: z.number(),
});

type Report = z.infer<typeof shape>;

/** What `send` prints as JSON, and an example for the documents. */
export const sendJson = {
  shape,
  example: {
    sent: 998,
    messages: 10,
    refused: 2,
    skipped: 0,
    dryRun: false,
    rejects: "transactions.ndjson.rejects.ndjson",
    nextLine: null,
    tookMs: 412,
  },
} as const;

/**
 * Checks the lines of a file, sends their records in messages, and prints the closing report. Returns the exit code: 0
 * when all records were sent, 1 when some lines were refused, 130 after Ctrl-C. Throws the fault of the queues or the
 * file after it has said from which line to go on.
 */
export async function runSend(order: SendOrder, context: Context<Report>): Promise<Result<Report>> {
  const queues = order.isRehearsal ? undefined : await context.queues();
  const store = await context.store(order.isRehearsal ? "something to look at" : undefined);
  await announceNewcomer(store, order);
  const { kind, owner } = order.head;
  const ended = await context.audited(
    { target: `records of kind ${kind}${owner === undefined ? "" : ` of ${owner}`}` },
    () => sendLines(order, store, queues),
    ({ report, outcome }) => ({ outcome, counts: { sent: report.sent, refused: report.refused } }),
  );
  const { report, outcome, fault, firstRefusals, description } = ended;
  for (const refusal of firstRefusals) console.error(refusal);
  if (description !== undefined) console.error(description.text);
  context.print(report, reportLines(report));
  const { refused, rejects, nextLine, dryRun } = report;
  if (rejects !== null) console.error(`Refused lines, by number and reason: ${terminalText(rejects)}`);
  if (nextLine !== null && !dryRun)
    console.error(`Stopped before the end: go on with the same command and --from-line ${nextLine}.`);
  if (fault !== undefined) throw fault;
  if (outcome === "stopped") return { exitCode: exitCodes.interrupted };
  return { exitCode: refused > 0 ? exitCodes.someRefused : exitCodes.done };
}

/** @param queues none for a rehearsal. */
async function sendLines(order: SendOrder, store: OperatorStore, queues: OperatorQueues | undefined) {
  const { file, head, fromLine, isRehearsal } = order;
  const sender = new RecordSender({
    head,
    fromLine,
    read: await readerOf(order, store),
    send: async (messages) =>
      queues === undefined ? messages.map(() => undefined) : await sendBatch(queues, messages),
  });
  const end = await readFile(file, { write: (lines, run) => sender.sendAll(lines, run) });
  const { run, outcome, fault, tookMs } = end;
  if (fault !== undefined && run.read === 0) throw fault;
  const report: Report = {
    sent: run.tally.written,
    messages: sender.messageCount,
    refused: run.tally.refused,
    skipped: run.passedOver,
    dryRun: isRehearsal,
    rejects: run.tally.refused > 0 ? file.rejects : null,
    nextLine: outcome === "done" ? null : sender.nextLine,
    tookMs,
  };
  return { ...end, report };
}

function reportLines({ sent, messages, refused, skipped, dryRun, tookMs }: Report): readonly string[] {
  const counts = countRows([
    [dryRun ? "good" : "sent", sent],
    ["refused", refused],
    ...(skipped > 0 ? [["skipped", skipped] as const] : []),
  ]);
  const speed = `in ${(tookMs / 1_000).toFixed(1)} s, ${inThousands(linesPerSecond(sent, tookMs))} per second`;
  return dryRun
    ? [counts, `This was a dry run: nothing was sent. It would be ${inThousands(messages)} messages.`]
    : [counts, `${inThousands(messages)} messages, ${speed}.`];
}
