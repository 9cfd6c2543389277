import type { Trade } from "../../../lib/trades/trade.ts";
import type { Line } from "../read-lines.ts";
import { retryStore } from "../retry-store.ts";
import type { LineSink } from "../run-import.ts";
import { TradeBatches } from "./trade-batches.ts";
import type { ParsedLine, TradeParser } from "./trade-source.ts";

/** How many batches are under way at once. */
const BATCHES_AT_ONCE = 4;

export interface TradeWriter extends LineSink {
  readonly parse: TradeParser;
  /** Writes a batch; throws only on trouble with the store. */
  readonly write: (trades: readonly Trade[]) => Promise<unknown>;
  /** Told of each line that is of another market. */
  readonly onPassedOver: () => void;
}

/** Batches that are being written. The first that fails stops the import. */
class Writes {
  readonly #underWay = new Set<Promise<void>>();
  readonly #writer: TradeWriter;
  readonly faults: unknown[] = [];

  constructor(writer: TradeWriter) {
    this.#writer = writer;
  }

  fail(fault: unknown): void {
    if (!this.#writer.stop.signal.aborted) this.faults.push(fault);
    this.#writer.stop.abort();
  }

  async start(trades: readonly Trade[]): Promise<void> {
    if (trades.length === 0) return;
    const task = this.#write(trades)
      .catch((fault: unknown) => this.fail(fault))
      .finally(() => this.#underWay.delete(task));
    this.#underWay.add(task);
    if (this.#underWay.size >= BATCHES_AT_ONCE) await Promise.race(this.#underWay);
  }

  async #write(trades: readonly Trade[]): Promise<void> {
    const { write, tally, stop } = this.#writer;
    await retryStore(() => write(trades), stop.signal);
    tally.written += trades.length;
  }

  async end(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

const parseLine = (line: Line, parse: TradeParser): ParsedLine =>
  "refusal" in line ? { refusal: line.refusal } : parse(line.text);

/**
 * Writes the trades of all lines, in batches and in constant memory, and returns when none is under way any more. When
 * it is stopped, trades that were read and not yet written are left to the next run.
 */
export async function writeTradeLines(lines: AsyncIterable<Line>, writer: TradeWriter): Promise<void> {
  const batches = new TradeBatches();
  const writes = new Writes(writer);
  try {
    for await (const line of lines) {
      if (writer.stop.signal.aborted) break;
      const parsed = parseLine(line, writer.parse);
      if ("trade" in parsed) await writes.start(batches.add(parsed.trade));
      else if ("refusal" in parsed) await refuse(line.number, parsed.refusal, writer);
      else if (parsed.passedOver === "other market") writer.onPassedOver();
    }
    if (!writer.stop.signal.aborted) await writes.start(batches.finish());
  } catch (fault) {
    writes.fail(fault);
  }
  await writes.end();
  if (writes.faults.length > 0) throw writes.faults[0];
}

async function refuse(lineNumber: number, reason: string, { onRefused, tally }: TradeWriter): Promise<void> {
  await onRefused(lineNumber, reason);
  tally.refused += 1;
}
