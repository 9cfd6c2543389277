import { retryStore } from "../../lib/dynamo/retry-store.ts";
import { isMembers, parsedJson } from "../../lib/json-value.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import type { LineRun } from "./line-run.ts";
import type { Line } from "./read-lines.ts";

/**
 * The most lines under way at once: enough to hide the round trips of a look, an entry of the journal and a write, which
 * follow one another, and too few to provoke a throttle.
 */
export const WRITES_AT_ONCE = 64;

/** Writes one document; throws only where the store fails. */
export type WriteDocument = (text: string) => Promise<WriteOutcome>;

/** Writes every line, {@link WRITES_AT_ONCE} at a time. A line that was not counted is written by the next run. */
export async function writeLines(
  lines: AsyncIterable<Line>,
  run: LineRun,
  write: WriteDocument,
): Promise<void> {
  const order = new RecordOrder();
  const writeLine = async (line: Line): Promise<void> => {
    if ("refusal" in line) return await run.refuse(line.number, line.refusal);
    const attempts = () => retryStore(() => write(line.text), run.stop.signal);
    await count(await order.run(recordIdsOf(line.text), attempts), line.number, run);
  };
  await run.takeAll(lines, {
    atOnce: WRITES_AT_ONCE,
    take: (line) => run.start(1, () => writeLine(line)),
  });
}

async function count(result: WriteOutcome, line: number, run: LineRun): Promise<void> {
  if (result.outcome === "refused") return await run.refuse(line, result.reason);
  if (result.outcome === "written" && result.unusual !== undefined) {
    await run.remark(line, "unusual", result.unusual);
    run.tally.unusual += 1;
  }
  if (result.outcome === "corrected") await run.remark(line, "corrected", result.replaced);
  run.tally[result.outcome] += 1;
}

/** The members that name the record, in documents of any kind. */
const ID_MEMBERS = ["id", "partner_reference"] as const;

/** The possible ids of a line's record, in lower case; none when the line is not a JSON object with an id. */
export function recordIdsOf(text: string): readonly string[] {
  const record = parsedJson(text);
  if (!isMembers(record)) return [];
  // Both count: one may be a member that the contract does not have and that `--drop-unknown` leaves out.
  const ids = ID_MEMBERS.map((member) => record[member]);
  return ids.filter((id) => typeof id === "string").map((id) => id.toLowerCase());
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
