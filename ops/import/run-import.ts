import { exitCodes } from "../../local/process/operator-error.ts";
import type { LineRun } from "../../local/records/line-run.ts";
import type { Line } from "../../local/records/read-lines.ts";
import { beginChange, type EndChange } from "../audit/record-change.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { announceNewcomer, type FileOrder } from "./announce-newcomer.ts";
import { type ImportContext, reportImport } from "./import-report.ts";
import type { ImportJournal } from "./journal/import-journal.ts";
import type { ImportKind } from "./journal/import-register.ts";
import { readFile } from "./read-file.ts";

/** One import, as the command line asks for it. */
export interface ImportOrder extends FileOrder {
  readonly kind: ImportKind;
  /** The command's words, for the audit. */
  readonly command: string;
  readonly reason?: string | undefined;
}

/** Writes the lines of one file into the store. */
export interface FileWriter {
  /** The journal by which the import can be taken back; undefined where nothing is stored. */
  readonly journal: ImportJournal | undefined;
  /** Resolves when no write is under way. Throws the first fault of the store or the file. */
  write(lines: AsyncIterable<Line>, run: LineRun): Promise<void>;
  /** Further lines of the closing report. */
  remarks(): readonly string[];
}

/**
 * Imports a file and prints a summary. Returns the exit code: 0 when all lines are stored, 1 when some were refused, 2
 * when the file does not hold one record a line or the audit's closing line was not written, 130 after Ctrl-C. Throws
 * after the summary when the store or the file failed. The same command run again completes the import; a complete one
 * changes nothing for readers.
 */
export async function runImport(
  store: OperatorStore,
  order: ImportOrder,
  writer: FileWriter,
  context: Pick<ImportContext, "print">,
): Promise<number> {
  const { file, kind, owner, isRehearsal, command, reason } = order;
  const { journal } = writer;
  let endAudit: EndChange = async () => {};
  const end = await readFile(file, {
    // Called before the first line. So neither a dry run nor a file without lines writes to the audit.
    begin: async () => {
      await announceNewcomer(store, order);
      const target = owner === undefined ? kind : `${kind} of ${owner}`;
      const change = { command, target, ...(reason !== undefined && { reason }) };
      if (!isRehearsal) endAudit = await beginChange(store, change);
    },
    write: (lines, run) => writer.write(lines, run),
    ...(journal !== undefined && { end: (outcome, tally) => journal.end(outcome, tally) }),
    waits: ", for half a minute at most",
  });
  const { run, outcome, fault } = end;
  if (fault !== undefined && run.read === 0) throw fault;
  const unrecorded = await endAudit({ outcome, counts: run.tally }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (unrecorded instanceof Error) console.error(unrecorded.message);
  const code = reportImport(
    order,
    end,
    { importId: await journal?.id(), option: store.option, remarks: writer.remarks() },
    context,
  );
  return unrecorded === undefined ? code : exitCodes.failed;
}
