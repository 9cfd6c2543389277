import * as z from "zod/mini";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { defineCommand } from "../command.ts";
import { headText } from "../import/import-list.ts";
import { type ImportHead, ImportRegister } from "../import/journal/import-register.ts";
import { isEndBy } from "../stop-on-interrupt.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { instantText } from "../terminal/write-table.ts";
import { undoImport } from "./undo-import.ts";
import { UndoTally } from "./undo-tally.ts";

const LEFT_SHOWN_MAX = 20;

const shape = z.object({
  importId: z.string(),
  outcome: z.enum(["done", "stopped"]),
  dryRun: z.boolean(),
  removed: z.number(),
  restored: z.number(),
  left: z.array(z.object({ id: z.string(), reason: z.string() })),
  marketUnlisted: z.boolean(),
});

const example: z.input<typeof shape> = {
  importId: "imp-20261129-k7f3",
  outcome: "done",
  dryRun: false,
  removed: 2,
  restored: 1,
  left: [{ id: "tx-1", reason: "changed since" }],
  marketUnlisted: false,
};

/** The id that an operator gave. @throws {RangeError} with a message for the operator. */
function parseImportId(text: string): string {
  const id = text.trim().toLowerCase();
  if (/^imp-\d{8}-[a-z0-9]{4}$/.test(id)) return id;
  throw new RangeError(
    "An import has an id such as imp-20261129-k7f3, told at its end; `import list` shows the ids.",
  );
}

async function requireHead({ table }: OperatorStore, id: string): Promise<ImportHead> {
  const head = await new ImportRegister(table("Imports")).find(id);
  if (head !== undefined) return head;
  throw new OperatorError(
    `There is no import ${id}, or it is older than 35 days. \`import list\` shows the imports that can be taken back.`,
  );
}

/** What is told of an import before it is taken back. */
function tell(head: ImportHead): void {
  console.error(`${head.id}: ${headText(head)}.`);
  if (head.outcome === undefined)
    console.error("It has not ended: it was killed, or it still runs. If it runs, stop it first.");
  if (head.undoneAt !== undefined) console.error(`It was taken back on ${instantText(head.undoneAt)}.`);
}

function linesOf(
  head: ImportHead,
  { removed, restored, left }: UndoTally,
  isUnlisted: boolean,
  dryRun: boolean,
) {
  const what = head.kind === "trades" ? "segments of trades" : "records";
  const would = dryRun ? "would be " : "";
  const rows = left.slice(0, LEFT_SHOWN_MAX).map(({ id, reason }) => [id, reason]);
  const more = left.length - rows.length;
  return [
    `${inThousands(removed)} ${what} ${would}removed, ${inThousands(restored)} ${would}restored, ${inThousands(left.length)} left.`,
    ...(isUnlisted ? [`The market ${head.owner} ${dryRun ? "would be" : "is"} not listed any more.`] : []),
    ...(rows.length > 0 ? [{ head: ["LEFT", "WHY"], rows }] : []),
    ...(more > 0 ? [`… and ${inThousands(more)} more; --json lists all.`] : []),
    ...(dryRun ? ["This was a dry run: nothing was changed."] : []),
  ];
}

/** `import undo`: takes back what an import stored. */
export const undoOneImport = defineCommand({
  words: "import undo",
  summary: "take back what an import stored by mistake",
  about: `
Takes back what the import stored and nobody has changed since: a new record goes, a replaced one has its earlier version
again, as if the import had never been. What was changed since stays, and is listed. An import has its id at its end, and
in \`import list\`, for 35 days.
What a later import found stored already goes too, because that import did not store it: import its file again.
Trades that a compaction has packed anew are listed as left: \`import trades --withdraw\` takes those back.
Ctrl-C stops it, and the same command goes on. Afterwards the right file is imported as usual.`,
  examples: [
    "ops import undo imp-20261129-k7f3 --dry-run",
    'ops import undo imp-20261129-k7f3 --reason "it was the file of another business"',
  ],
  exits: {
    0: "taken back",
    1: "something was left, or it was not confirmed",
    2: "there is no such import, or the store failed",
  },
  on: "store",
  takes: {
    "<id>": { text: "the import's id, such as imp-20261129-k7f3", parse: parseImportId },
    "--reason <text>": { text: "why, for the audit", parse: parseReason, isUnquoted: true },
  },
  dryRun: "show what would be taken back, and change nothing",
  asks: true,
  stops: "Stopping …",
  json: { shape, example },
  async run({ id, dryRun }, { store: open, confirm, audited, stoppable, isStopped }) {
    const store = await open();
    const head = await requireHead(store, id);
    if (!dryRun) tell(head);
    await confirm("Take it back?");
    const tally = new UndoTally();
    const undo = async (stop: AbortSignal): Promise<boolean> => {
      const isUnlisted = await undoImport(store, head, { isRehearsal: dryRun, stop, tally }).catch(
        (error: unknown) => {
          if (!isEndBy(stop, error)) throw error;
          return false;
        },
      );
      // Takes seconds in a large store: a Ctrl-C meanwhile must not end the process before its audit is written.
      if (!dryRun) await store.dropDeletedBytes?.();
      return isUnlisted;
    };
    const of = head.owner === undefined ? head.kind : `${head.kind} of ${head.owner}`;
    const work = async (): Promise<boolean> => (await stoppable(undo)) ?? false;
    const isUnlisted = await audited({ target: `${head.id}, ${of}` }, work, () => ({
      counts: { removed: tally.removed, restored: tally.restored, left: tally.left.length },
    }));
    const { removed, restored, left } = tally;
    const outcome = isStopped() ? ("stopped" as const) : ("done" as const);
    return {
      json: {
        importId: head.id,
        outcome,
        dryRun,
        removed,
        restored,
        left,
        marketUnlisted: isUnlisted,
      },
      text: linesOf(head, tally, isUnlisted, dryRun),
      ...(isStopped()
        ? { remark: "Stopped. Run the same command again to go on." }
        : { exitCode: left.length > 0 ? exitCodes.someRefused : exitCodes.done }),
    };
  },
});
