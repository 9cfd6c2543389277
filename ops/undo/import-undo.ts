import type { Command } from "commander";
import * as z from "zod/mini";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { reasonOption } from "../arguments/reason-option.ts";
import { audited } from "../audit/record-change.ts";
import { headText } from "../import/import-list.ts";
import { type ImportHead, ImportRegister } from "../import/journal/import-register.ts";
import { unlessStopped, untilInterrupt } from "../stop-on-interrupt.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";
import { confirmed, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { instantText, printTable } from "../terminal/write-table.ts";
import { type UndoEnd, undoImport } from "./undo-import.ts";
import { UndoTally } from "./undo-tally.ts";

const HELP = `
Takes back what the import stored and nobody has changed since: a new record goes, a replaced one has its earlier version
again, as if the import had never been. What was changed since stays, and is listed. An import has its id at its end, and
in \`import list\`, for 35 days.
What a later import found stored already goes too, because that import did not store it: import its file again.
Trades that a compaction has packed anew are listed as left: \`import trades --withdraw\` takes those back.
Ctrl-C stops it, and the same command goes on. Afterwards the right file is imported as usual.

Examples:
  ${commands.ops} import undo imp-20261129-k7f3 --dry-run
  ${commands.ops} import undo imp-20261129-k7f3 --reason "it was the file of another business"

Exit codes: 0 taken back, 1 something was left, or it was not confirmed, 2 there is no such import, or the store failed,
130 stopped by Ctrl-C.`;

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

interface Options extends StoreOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly reason?: string;
}

async function requireHead({ table }: OperatorStore, id: string): Promise<ImportHead> {
  const head = await new ImportRegister(table("Imports")).find(id);
  if (head !== undefined) return head;
  throw new OperatorError(
    `There is no import ${id}, or it is older than 35 days. \`import list\` shows the imports that can be taken back.`,
  );
}

async function isWanted(head: ImportHead, options: Options): Promise<boolean> {
  if (options.dryRun === true) return true;
  console.error(`${head.id}: ${headText(head)}.`);
  if (head.outcome === undefined)
    console.error("It has not ended: it was killed, or it still runs. If it runs, stop it first.");
  if (head.undoneAt !== undefined) console.error(`It was taken back on ${instantText(head.undoneAt)}.`);
  return await confirmed("Take it back?", options);
}

interface Undone extends UndoEnd {
  readonly tally: UndoTally;
}

async function undo(store: OperatorStore, head: ImportHead, isRehearsal: boolean): Promise<Undone> {
  const tally = new UndoTally();
  const end = await untilInterrupt((stop) =>
    undoImport(store, head, { isRehearsal, stop, tally }).catch(unlessStopped(stop)),
  );
  if (!isRehearsal) await store.dropDeletedBytes?.();
  return { isStopped: true, isUnlisted: false, ...end, tally };
}

function print({ tally, isStopped, isUnlisted }: Undone, head: ImportHead, options: Options): void {
  const isRehearsal = options.dryRun === true;
  const { removed, restored, left } = tally;
  if (options.json === true) {
    const outcome = isStopped ? "stopped" : "done";
    const counts = { removed, restored, left: [...left], marketUnlisted: isUnlisted };
    printJson(shape, { importId: head.id, outcome, dryRun: isRehearsal, ...counts });
    return;
  }
  const what = head.kind === "trades" ? "segments of trades" : "records";
  const would = isRehearsal ? "would be " : "";
  console.log(
    `${inThousands(removed)} ${what} ${would}removed, ${inThousands(restored)} ${would}restored, ${inThousands(left.length)} left.`,
  );
  if (isUnlisted)
    console.log(`The market ${head.owner} ${isRehearsal ? "would be" : "is"} not listed any more.`);
  if (left.length > 0)
    printTable({
      head: ["LEFT", "WHY"],
      rows: left.slice(0, LEFT_SHOWN_MAX).map(({ id, reason }) => [id, reason]),
    });
  if (left.length > LEFT_SHOWN_MAX)
    console.log(`… and ${inThousands(left.length - LEFT_SHOWN_MAX)} more; --json lists all.`);
  if (isRehearsal) console.log("This was a dry run: nothing was changed.");
  if (isStopped) console.error("Stopped. Run the same command again to go on.");
}

async function undoIn(store: OperatorStore, id: string, options: Options): Promise<number> {
  const head = await requireHead(store, id);
  if (!(await isWanted(head, options))) {
    console.error("Nothing was changed.");
    return exitCodes.someRefused;
  }
  const isRehearsal = options.dryRun === true;
  const of = head.owner === undefined ? head.kind : `${head.kind} of ${head.owner}`;
  const change = {
    command: "import undo",
    target: `${head.id}, ${of}`,
    ...(options.reason !== undefined && { reason: options.reason }),
  };
  const undone = isRehearsal
    ? await undo(store, head, true)
    : await audited(
        store,
        change,
        () => undo(store, head, false),
        ({ tally, isStopped }) => ({
          outcome: isStopped ? "stopped" : "done",
          counts: { removed: tally.removed, restored: tally.restored, left: tally.left.length },
        }),
      );
  print(undone, head, options);
  if (undone.isStopped) return exitCodes.interrupted;
  return undone.tally.left.length > 0 ? exitCodes.someRefused : exitCodes.done;
}

/** `import undo`: takes back what an import stored. */
export function undoOneImport(group: Command): void {
  const command = group
    .command("undo")
    .description("take back what an import stored by mistake")
    .argument("<id>", "the import's id, such as imp-20261129-k7f3", optionOf(parseImportId))
    .option("--dry-run", "show what would be taken back, and change nothing")
    .addOption(yesOption())
    .addOption(reasonOption());
  addJsonOption(addStoreOptions(command), shape, example)
    .addHelpText("after", HELP)
    .action(async (id: string, options: Options) => {
      process.exitCode = await withExistingStore(options, (store) => undoIn(store, id, options));
    });
}
