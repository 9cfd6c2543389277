import { BoundedTasks } from "../../../lib/bounded-tasks.ts";
import { retryStore } from "../../../lib/dynamo/retry-store.ts";
import type { Meeting } from "../../../lib/trades/standing-trades.ts";
import type { Place, Trade } from "../../../lib/trades/trade.ts";
import { OperatorError } from "../../../local/process/operator-error.ts";
import type { Line } from "../../../local/records/read-lines.ts";
import { isHopeless } from "../../../local/records/tally.ts";
import { hopelessFile, type LineSink } from "../../../local/records/write-lines.ts";
import type { WriteTrades } from "./market-writer.ts";
import { remarkOn } from "./meeting-remarks.ts";
import { TradeBatches } from "./trade-batches.ts";
import type { ParsedLine, PassedOver, TradeParser } from "./trade-source.ts";

/** The most batches under way at once. */
const BATCHES_AT_ONCE = 4;

export interface TradeWriter extends LineSink {
  readonly parse: TradeParser;
  /** Writes a batch; throws only where the store fails. */
  readonly write: WriteTrades;
  /** Called for each skipped line. */
  readonly onPassedOver: (line: PassedOver) => void;
  /** Whether trades are taken back. */
  readonly isWithdrawal?: boolean;
  /** Whether a last line without a newline is accepted, although its last number may have been cut off. */
  readonly takesLastLine: boolean;
}

/** The batches that are being written. The first failure stops the import. */
class Writes {
  readonly #batches = new BoundedTasks(BATCHES_AT_ONCE);
  readonly #writer: TradeWriter;
  readonly #lines = new WeakMap<Place, number>();
  readonly faults: unknown[] = [];

  constructor(writer: TradeWriter) {
    this.#writer = writer;
  }

  fail(fault: unknown): void {
    if (!this.#writer.stop.signal.aborted) this.faults.push(fault);
    this.#writer.stop.abort();
  }

  /** Notes the line of a trade that is about to be collected. */
  noteLine(trade: Trade, line: number): void {
    this.#lines.set(trade, line);
  }

  async start(trades: readonly Trade[]): Promise<void> {
    if (trades.length === 0) return;
    await this.#batches.run(() => this.#write(trades).catch((fault: unknown) => this.fail(fault)));
  }

  async #write(trades: readonly Trade[]): Promise<void> {
    const { write, tally, flow, stop } = this.#writer;
    flow.inFlight += trades.length;
    try {
      const written = await retryStore(() => write(trades), stop.signal);
      const { withdrawn, unchanged = 0, hidden = 0, meetings = [] } = written;
      tally.written += trades.length - withdrawn - unchanged - hidden;
      tally.unchanged += unchanged;
      tally.stale += withdrawn + hidden;
      for (const meeting of meetings) await this.#tell(meeting);
    } finally {
      flow.inFlight -= trades.length;
    }
  }

  async #tell(meeting: Meeting): Promise<void> {
    const { tally, onRemark } = this.#writer;
    const remark = remarkOn(
      meeting,
      meeting.other && this.#lines.get(meeting.other),
      this.#writer.isWithdrawal,
    );
    if (remark === undefined) return;
    tally[remark.row] += 1;
    await onRemark(this.#lines.get(meeting.trade) ?? 0, remark.text);
  }

  async end(): Promise<void> {
    await this.#batches.end();
  }
}

const CUT_OFF =
  "the line must end with a newline: its last number may be cut off (--last-line accepts the line)";

/** What a line of a file of trades holds. A last line that may have been cut off is refused unless it is accepted. */
export function parseLine(
  line: Line,
  { parse, takesLastLine }: Pick<TradeWriter, "parse" | "takesLastLine">,
): ParsedLine {
  if ("refusal" in line) return { refusal: line.refusal };
  // A JSON document that was cut off does not parse, but the rest of a number is still a number.
  const mayBeCutOff = line.isUnended === true && /\d$/.test(line.text);
  return mayBeCutOff && !takesLastLine ? { refusal: CUT_OFF } : parse(line.text);
}

/**
 * Writes the trades of all lines, in batches and in constant memory, and resolves when no batch is under way. When the
 * import is stopped, trades that were read but not yet written are left to the next run.
 */
export async function writeTradeLines(lines: AsyncIterable<Line>, writer: TradeWriter): Promise<void> {
  const batches = new TradeBatches();
  const writes = new Writes(writer);
  let isPromising = writer.readsAll === true;
  try {
    for await (const line of lines) {
      if (writer.stop.signal.aborted) break;
      const parsed = parseLine(line, writer);
      if ("trade" in parsed) {
        writes.noteLine(parsed.trade, line.number);
        await writes.start(batches.add(parsed.trade));
      }
      await tellOf(line.number, parsed, writer);
      isPromising ||= "trade" in parsed || "name" in parsed;
      if (!isPromising && isHopeless(writer.tally)) throw hopelessFile();
    }
    if (!writer.stop.signal.aborted) await writes.start(batches.finish());
  } catch (fault) {
    writes.fail(fault);
  }
  await writes.end();
  if (writes.faults.length > 0) throw writes.faults[0];
}

/** Reports and counts the result of a line. @throws {OperatorError} for a sign that the file has another form. */
async function tellOf(lineNumber: number, parsed: ParsedLine, writer: TradeWriter): Promise<void> {
  if ("unusable" in parsed) throw new OperatorError(`Line ${lineNumber}: ${parsed.unusable}.`);
  if ("refusal" in parsed) {
    await writer.onRefused(lineNumber, parsed.refusal);
    writer.tally.refused += 1;
  } else if ("passedOver" in parsed) {
    writer.flow.passedOver += 1;
    writer.onPassedOver(parsed);
  } else if (parsed.remark !== undefined) await writer.onRemark(lineNumber, parsed.remark);
}
