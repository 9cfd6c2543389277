import { Readable } from "node:stream";
import type { Clock } from "../../lib/clock.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { documentKinds } from "../../local/records/document-kinds.ts";
import { LineRun } from "../../local/records/line-run.ts";
import { type Line, readLines } from "../../local/records/read-lines.ts";
import { writeLines } from "../../local/records/write-lines.ts";
import { marketWriter } from "../../ops/import/trades/market-writer.ts";
import { TradeReader } from "../../ops/import/trades/read-trades.ts";
import { writeTradeLines } from "../../ops/import/trades/write-trades.ts";
import type { OperatorStore } from "../../ops/store/operator-store.ts";
import type { Credentials, ImportOrder, ImportReport, RecordKind } from "./types.ts";

/** What an import works on. */
export interface ImportParts {
  readonly store: OperatorStore;
  readonly credentials: Credentials;
  readonly clock: Clock;
}

/** The owner of records whose order names none. */
const ownerOf = ({ credentials }: ImportParts) => ({
  transactions: credentials.business.id,
  "sell-orders": credentials.ramp.partnerId,
  passes: undefined,
});

/** Imports records by the code of an operator's import: the same rules, refusals and outcomes. */
export async function importRecords(
  parts: ImportParts,
  kind: RecordKind,
  { owner, market, records }: ImportOrder,
): Promise<ImportReport> {
  const { store, clock } = parts;
  const refusals: { line: number; reason: string }[] = [];
  const run = new LineRun(async (line, kind, reason) => {
    if (kind === "refused") refusals.push({ line, reason });
  });
  // A test asks for every record's outcome; the records do not come from a file that may be the wrong one.
  run.hasGood = true;
  const lines = readLines(Readable.from([Buffer.from(textOf(records))]));
  if (kind === "trades") await importTrades(parts, market, lines, run);
  else {
    const place = { ...store, owner: owner ?? ownerOf(parts)[kind], intake: { clock } };
    await writeLines(lines, run, documentKinds[kind].writer(place));
  }
  return { ...run.tally, refusals: refusals.toSorted((one, other) => one.line - other.line) };
}

function textOf(records: ImportOrder["records"]): string {
  if (typeof records === "string") return records;
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

async function importTrades(
  { store, credentials, clock }: ImportParts,
  symbol: string = credentials.exchange.symbol,
  lines: AsyncIterable<Line>,
  run: LineRun,
): Promise<void> {
  const listed = await new MarketStore(store.table("Settings"), clock).get(symbol);
  const market = listed ?? marketOf(symbol);
  const { venue } = store.brand;
  await writeTradeLines(lines, run, {
    reader: new TradeReader({ symbol, market, venue, format: "ndjson", takesLastLine: true, clock }),
    write: marketWriter(store, { market, isListed: true, isWithdrawal: false, isRehearsal: false }),
  });
  if (listed === undefined && run.tally.written > 0)
    await new MarketRegister(store.table("Settings")).add(market);
}
