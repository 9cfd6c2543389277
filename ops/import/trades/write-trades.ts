import { retryStore } from "../../../lib/dynamo/retry-store.ts";
import type { WrittenTrades } from "../../../lib/trades/put-trades.ts";
import type { Meeting } from "../../../lib/trades/standing-trades.ts";
import type { Place, Trade } from "../../../lib/trades/trade.ts";
import { OperatorError } from "../../../local/process/operator-error.ts";
import type { LineRun } from "../../../local/records/line-run.ts";
import type { Line } from "../../../local/records/read-lines.ts";
import type { TradeReader } from "./read-trades.ts";
import { TradeBatches } from "./trade-batches.ts";
import type { ParsedLine } from "./trade-source.ts";

/** The most batches under way at once. */
const BATCHES_AT_ONCE = 4;

/** Writes a batch; throws only where the store fails. */
export type WriteTrades = (trades: readonly Trade[]) => Promise<WrittenTrades>;

/** How the trades of a file are read and written. */
export interface TradeWork {
  readonly reader: Pick<TradeReader, "read">;
  readonly write: WriteTrades;
  /** Whether trades are taken back. */
  readonly isWithdrawal?: boolean;
}

/**
 * Writes the trades of all lines, in batches and in constant memory. When the run is stopped, trades that were read but
 * not yet written are left to the next run.
 */
export async function writeTradeLines(
  lines: AsyncIterable<Line>,
  run: LineRun,
  work: TradeWork,
): Promise<void> {
  const batches = new TradeBatches();
  const lineOf = new WeakMap<Place, number>();
  const start = async (trades: readonly Trade[]): Promise<void> => {
    if (trades.length > 0) await run.start(trades.length, () => writeBatch(trades, lineOf, run, work));
  };
  const take = async (line: Line): Promise<void> => {
    const parsed = work.reader.read(line);
    if ("trade" in parsed) {
      lineOf.set(parsed.trade, line.number);
      await start(batches.add(parsed.trade));
    }
    await noteLine(line.number, parsed, run);
  };
  await run.takeAll(lines, { atOnce: BATCHES_AT_ONCE, take, finish: () => start(batches.finish()) });
}

/** Lists and counts what a line holds. @throws {OperatorError} for a sign that the file has another form. */
async function noteLine(number: number, parsed: ParsedLine, run: LineRun): Promise<void> {
  if ("unusable" in parsed) throw new OperatorError(`Line ${number}: ${parsed.unusable}.`);
  if ("refusal" in parsed) return await run.refuse(number, parsed.refusal);
  // A heading is no sign of a good file.
  run.hasGood ||= "trade" in parsed || "name" in parsed;
  if ("passedOver" in parsed) run.passedOver += 1;
  else if (parsed.remark !== undefined) await run.remark(number, "remark", parsed.remark);
}

async function writeBatch(
  trades: readonly Trade[],
  lineOf: WeakMap<Place, number>,
  run: LineRun,
  { write, isWithdrawal = false }: TradeWork,
): Promise<void> {
  const written = await retryStore(() => write(trades), run.stop.signal);
  const { withdrawn, unchanged = 0, hidden = 0, meetings = [] } = written;
  run.tally.written += trades.length - withdrawn - unchanged - hidden;
  run.tally.unchanged += unchanged;
  run.tally.stale += withdrawn + hidden;
  for (const meeting of meetings) {
    const [row, text] = remarkOn(meeting, meeting.other && lineOf.get(meeting.other), isWithdrawal);
    if (row === undefined) continue;
    run.tally[row] += 1;
    await run.remark(lineOf.get(meeting.trade) ?? 0, "remark", text);
  }
}

/**
 * What is told of a trade that met something in its place, and the row of the report that counts it: none for a first
 * report of a trade that has been corrected since, which tells nothing new.
 *
 * @param otherLine the line of the other trade, if it is one of the same file.
 */
function remarkOn(
  { meets }: Meeting,
  otherLine: number | undefined,
  isWithdrawal: boolean,
): readonly ["double" | "missed" | undefined, string] {
  if (meets === "nothing") {
    const kept = isWithdrawal
      ? "the withdrawal is kept, should the trade still come"
      : "it is stored as a new trade";
    return ["missed", `no trade has this tdt and tid: ${kept}`];
  }
  if (meets === "newer") {
    const text = "a higher --revision reports this trade, so it stays listed: withdraw that one";
    return [isWithdrawal ? "missed" : undefined, text];
  }
  const other =
    otherLine === undefined ? "another trade that is stored" : `another trade, in line ${otherLine}`;
  const listed = meets === "another" ? "that one is listed" : "this one is listed in its place";
  const way = "give each trade a tid of its own, or import the right one with --revision 1";
  return ["double", `tdt and tid are those of ${other}, and ${listed}: ${way}`];
}
