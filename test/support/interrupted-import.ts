import { Failure } from "../../lib/errors.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { LineRun } from "../../local/records/line-run.ts";
import type { Line } from "../../local/records/read-lines.ts";
import type { Tally } from "../../local/records/tally.ts";
import { writeLines } from "../../local/records/write-lines.ts";

/** The ways in which a store call may cut an import short. */
export const cutKinds = [
  "Ctrl-C",
  "Ctrl-C while the store throttles",
  "a store that throttles for longer than a line is tried",
  "a fault of the store",
  "a store that is gone",
] as const;

/** A point of an import: the number of a store call, and the cut that happens there. */
export interface Cut {
  readonly call: number;
  readonly kind: (typeof cutKinds)[number];
  /** Whether the call takes effect all the same. Its answer is then lost, except at a plain Ctrl-C. */
  readonly takesEffect: boolean;
}

/** The store calls of one import, in their order, one of which may cut it short. */
export class StoreCalls {
  readonly stop = new AbortController();
  readonly #cut: Cut | undefined;
  #cutRecord: string | undefined;
  count = 0;

  constructor(cut?: Cut) {
    this.#cut = cut;
  }

  /** Makes a call about a record; `effect` is what the store does. */
  async call<Result>(record: string, effect: () => Result): Promise<Result> {
    this.count += 1;
    const isCut = this.count === this.#cut?.call;
    if (isCut) this.#cutRecord = record;
    if (isCut && !this.#cut.takesEffect && this.#cut.kind === "Ctrl-C") this.stop.abort();
    // By the time of the answer, later lines are under way.
    await new Promise(setImmediate);
    const fault = this.#faultOf(record, isCut);
    if (fault === undefined || (isCut && this.#cut?.takesEffect)) {
      const result = effect();
      if (isCut && this.#cut?.kind === "Ctrl-C") this.stop.abort();
      if (fault === undefined) return result;
    }
    throw fault;
  }

  #faultOf(record: string, isCut: boolean): Error | undefined {
    if (this.#cut === undefined || this.count < this.#cut.call) return undefined;
    const { kind } = this.#cut;
    const throttled = () => new Failure("temporarily_unavailable", "The store did not answer.");
    if (kind === "a store that is gone") return new Error("no such table");
    if (kind === "a fault of the store") return isCut ? new Error("no such table") : undefined;
    if (kind === "Ctrl-C while the store throttles") {
      if (isCut) this.stop.abort();
      return isCut ? throttled() : undefined;
    }
    return kind !== "Ctrl-C" && record === this.#cutRecord ? throttled() : undefined;
  }
}

/** The results of an import that has ended. */
export interface ImportRun {
  readonly tally: Tally;
  /** The reasons of the lines that were listed as refused, unusual or corrected, by line number. */
  readonly refused: ReadonlyMap<number, string>;
  readonly unusual: ReadonlyMap<number, string>;
  readonly corrected: ReadonlyMap<number, string>;
  /** The number of store calls that the import made. */
  readonly calls: number;
  readonly fault: unknown;
}

/** Imports lines, each by `write`, whose store calls go through `calls`. */
export async function importLines(
  texts: readonly string[],
  write: (text: string) => Promise<WriteOutcome>,
  calls: StoreCalls,
): Promise<ImportRun> {
  const lines = (async function* (): AsyncGenerator<Line> {
    for (const [at, text] of texts.entries()) yield { number: at + 1, text };
  })();
  const [refused, unusual, corrected] = [new Map(), new Map(), new Map()];
  const lists = { refused, unusual, corrected, remark: unusual };
  const run = new LineRun(async (line, kind, reason) => void lists[kind].set(line, reason), calls.stop);
  const fault = await writeLines(lines, run, write).catch((error: unknown) => error);
  return { tally: run.tally, refused, unusual, corrected, calls: calls.count, fault };
}
