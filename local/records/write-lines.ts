import { BoundedTasks } from "../../lib/bounded-tasks.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { OperatorError } from "../process/operator-error.ts";
import type { Line } from "./read-lines.ts";
import { type Flow, isHopeless, type Tally } from "./tally.ts";

/**
 * The most lines under way at once: enough to hide the round trips of a look, an entry of the journal and a write, which
 * follow one another, and too few to provoke a throttle.
 */
export const WRITES_AT_ONCE = 64;

/** Why a line is listed: it was refused, or it was stored and should be looked at. */
export type RemarkKind = "refused" | "unusual" | "corrected" | "remark";

/** Receives the outcomes of the lines that are written, whatever they hold. */
export interface LineSink {
  /** Called for each refused line. */
  readonly onRefused: (lineNumber: number, reason: string) => Promise<void>;
  /** Called for each line that was stored and should be looked at. */
  readonly onRemark: (lineNumber: number, reason: string, kind?: RemarkKind) => Promise<void>;
  /** Counts each outcome once it is certain; the progress display reads it. */
  readonly tally: Tally;
  /** Counts the lines that are under way. */
  readonly flow: Flow;
  /** Aborted by Ctrl-C, and by the writing itself when the store fails. */
  readonly stop: AbortController;
  /** Whether every line is read, also where the first thousand were all refused. */
  readonly readsAll?: boolean;
}

export interface LineWriter extends LineSink {
  /** Writes one document; throws only where the store fails. */
  readonly write: (text: string) => Promise<WriteOutcome>;
}

async function outcomeOf(line: Line, order: RecordOrder, writer: LineWriter): Promise<WriteOutcome> {
  if ("refusal" in line) return { outcome: "refused", reason: line.refusal };
  const write = () => retryStore(() => writer.write(line.text), writer.stop.signal);
  return await order.run(recordIdsOf(line.text), write);
}

async function writeLine(line: Line, order: RecordOrder, writer: LineWriter): Promise<void> {
  const result = await outcomeOf(line, order, writer);
  if (result.outcome === "refused") await writer.onRefused(line.number, result.reason);
  if (result.outcome === "written" && result.unusual !== undefined) {
    await writer.onRemark(line.number, result.unusual, "unusual");
    writer.tally.unusual += 1;
  }
  if (result.outcome === "corrected") await writer.onRemark(line.number, result.replaced, "corrected");
  writer.tally[result.outcome] += 1;
}

/** Ends the import of a file whose lines were all refused, once the lines under way have been judged too. */
async function requireHope({ tally, readsAll }: LineWriter, writes: BoundedTasks): Promise<void> {
  if (readsAll === true || !isHopeless(tally)) return;
  await writes.end();
  if (isHopeless(tally)) throw hopelessFile();
}

/**
 * Writes every line, {@link WRITES_AT_ONCE} at a time, and resolves when no write is under way. After an abort it takes
 * no more lines, and finishes and counts the writes under way. The first fault of the store or the source does the
 * same, and is then thrown. A line that was not counted is written by the next run.
 */
export async function writeLines(lines: AsyncIterable<Line>, writer: LineWriter): Promise<void> {
  const { flow, stop } = writer;
  const order = new RecordOrder();
  const writes = new BoundedTasks(WRITES_AT_ONCE);
  const faults: unknown[] = [];
  const fail = (fault: unknown) => {
    // After an abort, an unfinished retry is not a fault: the abort asked for it.
    if (!stop.signal.aborted) faults.push(fault);
    stop.abort();
  };
  const write = async (line: Line) => {
    flow.inFlight += 1;
    await writeLine(line, order, writer).catch(fail);
    flow.inFlight -= 1;
  };
  try {
    for await (const line of lines) {
      if (stop.signal.aborted) break;
      await writes.run(() => write(line));
      await requireHope(writer, writes);
    }
  } catch (fault) {
    fail(fault);
  }
  await writes.end();
  if (faults.length > 0) throw faults[0];
}

/** The error that ends an import whose first 1,000 lines were all refused. */
export const hopelessFile = (): OperatorError =>
  new OperatorError("The first 1,000 lines were all refused, so the rest of the file was not read.");

/** The members that name the record, in documents of any kind. */
const ID_MEMBERS = ["id", "partner_reference"] as const;

/** The possible ids of a line's record, in lower case; none when the line is not a JSON object with an id. */
export function recordIdsOf(text: string): readonly string[] {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record !== "object" || record === null) return [];
    const ids = ID_MEMBERS.map((member) => (record as Readonly<Record<string, unknown>>)[member]);
    // Both count: one may be a member that the contract does not have and that `--drop-unknown` leaves out.
    return ids.filter((id) => typeof id === "string").map((id) => id.toLowerCase());
  } catch {
    return [];
  }
}

/**
 * Runs many tasks at once, but tasks of one record one after the other, in the order they were handed over, so that two
 * lines about a record never race. When a task fails, all later tasks of its record fail with its error. A version that
 * could not be written is then written before its successors by the next import, and a file gives the same result
 * whenever it is imported.
 */
export class RecordOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param ids the task waits for earlier tasks that share one of these. */
  async run<Result>(ids: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const before = Promise.all(ids.map((id) => this.#last.get(id) ?? Promise.resolve()));
    const mine = before.then(task);
    for (const id of ids) this.#last.set(id, mine);
    const result = await mine;
    for (const id of ids) if (this.#last.get(id) === mine) this.#last.delete(id);
    return result;
  }
}
