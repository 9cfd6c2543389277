import * as z from "zod/mini";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { lineCount, newTally, summarise } from "../../local/records/tally.ts";
import { printJson } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import type { FileOrder } from "./announce-newcomer.ts";
import type { FileEnd } from "./read-file.ts";

const count = z.number();

/** The closing report of an import, as JSON. */
export const importReport = z.object({
  /** By which `import undo` takes the import back; null when nothing was stored, or its owner was erased meanwhile. */
  importId: z.nullable(z.string()),
  outcome: z.enum(["done", "stopped", "failed"]),
  dryRun: z.boolean(),
  counts: z.object({
    written: count,
    unusual: count,
    corrected: count,
    unchanged: count,
    stale: count,
    /** Trades that share their instant and id with another one. */
    double: count,
    /** Corrections and withdrawals of trades that are not there. */
    missed: count,
    refused: count,
    lines: count,
  }),
  tookMs: z.number(),
  /** The file that lists refused and unusual lines; null when there are none. */
  rejects: z.nullable(z.string()),
  remarks: z.array(z.string()),
});

/** A report for the documents. */
export const exampleReport: z.input<typeof importReport> = {
  importId: "imp-20261129-k7f3",
  outcome: "done",
  dryRun: false,
  counts: { ...newTally(), written: 3, lines: 3 },
  tookMs: 41,
  rejects: null,
  remarks: [],
};

/** What only the store knows of an import that has ended. */
interface Stored {
  /** The import's id; undefined when nothing was stored. */
  readonly importId: string | undefined;
  /** Further lines of the report, which follow the counts. */
  readonly remarks: readonly string[];
}

/** Prints the closing report. @returns the exit code. @throws {unknown} the fault of the store or the file. */
export function reportImport(order: FileOrder, end: FileEnd, stored: Stored): number {
  const { run, outcome, fault, description } = end;
  const { refused, double, missed } = run.tally;
  printSummary(order, end, stored);
  tellRejects(order, end);
  if (outcome === "stopped") {
    console.error("Stopped. Run the same command again to continue: no record will be stored twice.");
    if (fault instanceof OperatorError) console.error(fault.message);
    return exitCodes.interrupted;
  }
  if (description !== undefined) console.error(description.text);
  if (fault !== undefined) throw fault;
  if (description?.isOtherForm === true) return exitCodes.failed;
  return refused + double + missed > 0 ? exitCodes.someRefused : exitCodes.done;
}

function printSummary(order: FileOrder, end: FileEnd, { importId, remarks }: Stored): void {
  const { outcome, tookMs, isListed } = end;
  const { tally } = end.run;
  if (order.json) {
    printJson(importReport, {
      importId: importId ?? null,
      outcome,
      dryRun: order.isRehearsal,
      counts: { ...tally, lines: lineCount(tally) },
      tookMs,
      rejects: isListed ? order.file.rejects : null,
      remarks,
    });
    return;
  }
  for (const line of [summarise(tally, tookMs), ...remarks]) console.log(line);
  if (order.isRehearsal) console.log("This was a dry run: nothing was stored.");
  if (importId !== undefined)
    console.log(`${importId}: \`${commands.ops} import undo ${importId}\` takes this import back.`);
}

function tellRejects({ file }: FileOrder, { run, firstRefusals, hasRemarks }: FileEnd): void {
  const { refused, unusual, corrected } = run.tally;
  const lists = [
    [refused > 0, "Refused lines, by number and reason"],
    [unusual > 0, "Unusual lines, by number and step"],
    [corrected > 0, "Corrected lines, by number and what they replaced"],
    [refused === 0 && hasRemarks, "Remarks, by line number"],
  ] as const;
  for (const refusal of firstRefusals) console.error(refusal);
  for (const [isThere, what] of lists) if (isThere) console.error(`${what}: ${terminalText(file.rejects)}`);
}
