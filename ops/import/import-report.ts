import * as z from "zod/mini";
import { lineCount, type Tally } from "../../local/records/tally.ts";

export type { ImportOutcome } from "./journal/import-register.ts";

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
  counts: {
    written: 3,
    unusual: 0,
    corrected: 0,
    unchanged: 0,
    stale: 0,
    double: 0,
    missed: 0,
    refused: 0,
    lines: 3,
  },
  tookMs: 41,
  rejects: null,
  remarks: [],
};

interface Ended {
  readonly tally: Readonly<Tally>;
  readonly remarks: readonly string[];
}

/** The report of an import that has ended. */
export const reportOf = <Given extends Ended>({ tally, remarks, ...given }: Given) => ({
  ...given,
  counts: { ...tally, lines: lineCount(tally) },
  remarks: [...remarks],
});
