import * as z from "zod/mini";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { lineCount, newTally, summarise } from "../../local/records/tally.ts";
import type { Context } from "../command.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import type { FileOrder } from "./announce-newcomer.ts";
import type { FileEnd } from "./read-file.ts";

const count = z.number();

/** The closing report of an import, as JSON. */
const importReport = z.object({
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

/** What imports print as JSON, and an example for the documents. */
export const importJson = {
  shape: importReport,
  example: {
    importId: "imp-20261129-k7f3",
    outcome: "done",
    dryRun: false,
    counts: { ...newTally(), written: 3, lines: 3 },
    tookMs: 41,
    rejects: null,
    remarks: [],
  },
} as const;

export type ImportContext = Context<z.input<typeof importReport>>;

/** What only the store knows of an import that has ended. */
interface Stored {
  /** The import's id; undefined when nothing was stored. */
  readonly importId: string | undefined;
  /** As an open store has it. */
  readonly option: string | undefined;
  /** Further lines of the report, which follow the counts. */
  readonly remarks: readonly string[];
}

/** Prints the closing report. @returns the exit code. @throws {unknown} the fault of the store or the file. */
export function reportImport(
  { file, isRehearsal }: FileOrder,
  { run, outcome, fault, description, firstRefusals, isListed, hasRemarks, tookMs }: FileEnd,
  { importId, option = "", remarks }: Stored,
  { print }: Pick<ImportContext, "print">,
): number {
  const { tally } = run;
  const { refused, unusual, corrected } = tally;
  const counts = { ...tally, lines: lineCount(tally) };
  const rejects = isListed ? file.rejects : null;
  print(
    {
      importId: importId ?? null,
      outcome,
      dryRun: isRehearsal,
      counts,
      tookMs,
      rejects,
      remarks: [...remarks],
    },
    [
      summarise(tally, tookMs),
      ...(isRehearsal ? ["This was a dry run: nothing was stored."] : []),
      ...(importId === undefined
        ? []
        : [`${importId}: \`${commands.ops} import undo ${importId}${option}\` takes this import back.`]),
      ...remarks,
    ],
  );
  for (const refusal of firstRefusals) console.error(refusal);
  const lists = [
    [refused > 0, "Refused lines, by number and reason"],
    [unusual > 0, "Unusual lines, by number and step"],
    [corrected > 0, "Corrected lines, by number and what they replaced"],
    [refused === 0 && hasRemarks, "Remarks, by line number"],
  ] as const;
  for (const [isThere, what] of lists) if (isThere) console.error(`${what}: ${terminalText(file.rejects)}`);
  if (outcome === "stopped") {
    console.error("Stopped. Run the same command again to continue: no record will be stored twice.");
    if (fault instanceof OperatorError) console.error(fault.message);
    return exitCodes.interrupted;
  }
  if (description !== undefined) console.error(description.text);
  if (fault !== undefined) throw fault;
  if (description?.isOtherForm === true) return exitCodes.failed;
  return refused + tally.double + tally.missed > 0 ? exitCodes.someRefused : exitCodes.done;
}
