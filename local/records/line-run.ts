import { BoundedTasks } from "../../lib/bounded-tasks.ts";
import { OperatorError } from "../process/operator-error.ts";
import type { Line } from "./read-lines.ts";
import { lineCount, newTally } from "./tally.ts";

/** Why a line is listed: it was refused, or it was stored and should be looked at. */
export type NoteKind = "refused" | "unusual" | "corrected" | "remark";

/** Lists a line. Resolves when it is listed. */
export type NoteLine = (line: number, kind: NoteKind, reason: string) => Promise<void>;

/** After so many refusals without one success, the rest of a file is not read. */
const REFUSALS_MAX = 1_000;

/** How the lines of a file are worked off. */
interface Work {
  /** The most pieces of work that {@link LineRun.start} has under way at once. */
  readonly atOnce: number;
  readonly take: (line: Line) => Promise<void>;
  /** Called after the last line, unless the run was stopped. */
  readonly finish?: () => Promise<void>;
}

/** The way of a file's lines into a store or a queue: what became of them so far, and whether to go on. */
export class LineRun {
  /** Counts each outcome once it is certain. */
  readonly tally = newTally();
  /** Lines that were read. */
  read = 0;
  /** Those of them that were skipped, such as headings and trades of other markets. */
  passedOver = 0;
  /** Those that are being written at the moment. */
  inFlight = 0;
  /** Whether a line was good, whatever became of it. */
  hasGood = false;
  /** Aborted by Ctrl-C, and by the first fault. */
  readonly stop: AbortController;
  readonly #note: NoteLine;
  readonly #faults: unknown[] = [];
  #tasks = new BoundedTasks(1);

  constructor(note: NoteLine, stop = new AbortController()) {
    this.#note = note;
    this.stop = stop;
  }

  /**
   * Takes every line. After an abort it takes no more, and resolves when no work is under way. The first fault of the
   * work or of the source does the same, and is then thrown.
   */
  async takeAll(lines: AsyncIterable<Line>, { atOnce, take, finish }: Work): Promise<void> {
    const { signal } = this.stop;
    this.#tasks = new BoundedTasks(atOnce);
    try {
      for await (const line of lines) {
        if (signal.aborted) break;
        await take(line);
        await this.#requireHope();
      }
      if (!signal.aborted) await finish?.();
    } catch (fault) {
      this.fail(fault);
    }
    await this.#tasks.end();
    if (this.#faults.length > 0) throw this.#faults[0];
  }

  /** Begins work on some lines, as soon as there is room for it. Its fault ends the run. */
  async start(count: number, work: () => Promise<void>): Promise<void> {
    await this.#tasks.run(async () => {
      this.inFlight += count;
      await work().catch((fault: unknown) => this.fail(fault));
      this.inFlight -= count;
    });
  }

  /** Ends the run for a fault. After an abort, an unfinished retry is not a fault: the abort asked for it. */
  fail(fault: unknown): void {
    if (!this.stop.signal.aborted) this.#faults.push(fault);
    this.stop.abort();
  }

  /** Lists a line that was stored and should be looked at. */
  async remark(line: number, kind: Exclude<NoteKind, "refused">, reason: string): Promise<void> {
    await this.#note(line, kind, reason);
  }

  /** Lists and counts a line that was refused. */
  async refuse(line: number, reason: string): Promise<void> {
    await this.#note(line, "refused", reason);
    this.tally.refused += 1;
  }

  /** Ends the run over a file whose lines were all refused, once those under way have been judged too. */
  async #requireHope(): Promise<void> {
    if (!this.#isHopeless()) return;
    await this.#tasks.end();
    if (this.#isHopeless())
      throw new OperatorError(
        "The first 1,000 lines were all refused, so the rest of the file was not read.",
      );
  }

  #isHopeless(): boolean {
    const { refused } = this.tally;
    return !this.hasGood && refused >= REFUSALS_MAX && refused === lineCount(this.tally);
  }
}
