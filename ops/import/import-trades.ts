import { systemClock } from "../../lib/clock.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { REVISION_MAX } from "../../lib/trades/segment.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { wholeNumber } from "../arguments/parse-count.ts";
import { defineCommand, takes } from "../command.ts";
import { minuteOf } from "../segments/compact.ts";
import { compactionPauseS, compactionText, runCompaction } from "../segments/run-compaction.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { instantText } from "../terminal/write-table.ts";
import { type ImportContext, importJson } from "./import-report.ts";
import { ImportJournal } from "./journal/import-journal.ts";
import { DROP_UNKNOWN, fileTakes, recordFile } from "./read-file.ts";
import { type ImportOrder, runImport } from "./run-import.ts";
import { type TradeFormat, tradeFormats } from "./trades/formats.ts";
import { marketWriter, type TradeWriting } from "./trades/market-writer.ts";
import { TradeReader, type TradeReading } from "./trades/read-trades.ts";
import { type WriteTrades, writeTradeLines } from "./trades/write-trades.ts";

/** What says of which market the trades of a file are, and how they are written there. */
export const tradeTakes = takes({
  "--market <symbol>": {
    text: "the market of the trades, such as BTC-USD",
    parse: marketOf,
    required: true,
  },
  "--format <name>": {
    text: "the format of the file",
    choices: Object.keys(tradeFormats) as TradeFormat[],
    default: "ndjson",
  },
  "--revision <number>": {
    text: "0 for first reports, a higher number for corrections (default: 0)",
    parse: wholeNumber(0, REVISION_MAX),
  },
  "--last-line": "accept a last line that ends with a number and no newline",
});

/** An import of the trades of a market. */
interface TradeOrder
  extends ImportOrder,
    Pick<TradeWriting, "market" | "revision" | "isWithdrawal">,
    Pick<TradeReading, "format" | "takesLastLine" | "dropsUnknown"> {
  readonly kind: "trades";
}

/** Fewer withdrawn trades hardly slow listings down, and do not justify the minute that a compaction takes. */
const COMPACTED_TRADES_MIN = 1_000;

/** Imports trades as `runImport` does. A withdrawal of many is followed by a compaction of the minutes they were made in. */
async function importTradeFile(
  store: OperatorStore,
  order: TradeOrder,
  context: ImportContext,
): Promise<number> {
  const { market, isWithdrawal, isRehearsal } = order;
  const { symbol } = market;
  const listed = await new MarketStore(store.table("Settings"), systemClock).get(symbol);
  const journal = isRehearsal ? undefined : new ImportJournal(store, "trades", symbol);
  const reader = new TradeReader({ ...order, symbol, market: listed ?? market, venue: store.brand.venue });
  const writeToMarket = marketWriter(store, { ...order, isListed: listed !== undefined, journal });
  const minutes = new Set<number>();
  let [tradeCount, withdrawnCount, firstMs, lastMs] = [0, 0, Number.POSITIVE_INFINITY, 0];
  const write: WriteTrades = async (trades) => {
    const written = await writeToMarket(trades);
    for (const { tradedAt } of trades) {
      minutes.add(minuteOf(tradedAt));
      firstMs = Math.min(firstMs, tradedAt);
      lastMs = Math.max(lastMs, tradedAt);
    }
    tradeCount += trades.length;
    withdrawnCount += written.withdrawn;
    return written;
  };
  const code = await runImport(
    store,
    order,
    {
      journal,
      write: (lines, run) => writeTradeLines(lines, run, { reader, write, isWithdrawal }),
      remarks: () => [
        ...reader.remarks(),
        ...withdrawnRemark(withdrawnCount),
        ...(tradeCount > 0 ? readingRemark(store, order, firstMs, lastMs) : []),
      ],
    },
    context,
  );
  const isOver = code === exitCodes.interrupted || tradeCount < COMPACTED_TRADES_MIN;
  if (!isWithdrawal || isRehearsal || isOver) return code;
  const compacted = await runCompaction(store, context, symbol, minutes);
  if (compacted === undefined) return exitCodes.interrupted;
  context.print(undefined, compactionText(symbol, compacted, "were"));
  return code;
}

const withdrawnRemark = (count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `Trades left out because they are withdrawn: ${inThousands(count)}. To list them again, give a --revision above the withdrawal's.`,
      ];

/** The line that reads imported trades. A deployed stage is read with credentials that are not known here. */
function readingRemark(
  { aws, option = "" }: OperatorStore,
  { market, isWithdrawal, isRehearsal }: TradeOrder,
  firstMs: number,
  lastMs: number,
): readonly string[] {
  if (aws !== undefined || isWithdrawal || isRehearsal) return [];
  const span = `--from ${instantText(firstMs)} --to ${instantText(lastMs)}`;
  return [`To read them: ${commands.quietOps} get trades ${market.symbol} ${span}${option}`];
}

/** `import trades`: the trades of one market, from a file of one of several formats. */
export const importTrades = defineCommand({
  words: "import trades",
  summary: "import the trades of a market",
  about: `
Formats, plain, gzip or zip (one file); - reads standard input, plain or gzip:
  ndjson    the contract's own records, one a line; members that all trades of the market share may be left out
  binance   public dumps of trades: id,price,qty,quoteQty,time,isBuyerMaker,…  (ms or µs, with a heading or without)
  kraken    public dumps of trades: time,price,volume                          (seconds with a fraction)
  coinbase  match messages, one JSON object a line; their side, the maker's, is turned into the taker's; other products
            and other types of message are skipped

A heading must have the columns that the format needs and no unknown one; otherwise the whole file is refused. Joined
files may repeat the heading. A trade more than a day ahead of the clock is refused, because its time is probably in
another unit. A last line that ends with a number and no newline may have been cut off: it needs --last-line.
Ids: a number is padded with zeros to 32 digits; a missing id is derived from the trade, so it is the same in each import.
Two equal prints without ids are two trades if one file holds both and is in order of time. Across two files they may be
stored as one trade, so import such dumps whole, or cut them between instants.
A market that is not listed yet is listed with its first trade; \`markets put\` changes its asset's name.
Importing a file again, or one that overlaps it, changes nothing that a reader sees. Ctrl-C finishes the writes in flight,
for half a minute at most where the store does not answer; the same command run again completes the import.

Wrong trades: import the right records (same tdt and tid) with --revision 1, or take the trades back with --withdraw.
A second correction needs a higher revision. Withdrawn trades are gone for readers at once, and stay withdrawn when their
file is imported again. A withdrawal of 1,000 trades or more then compacts them, so that listings need not read them. That
takes two pauses of ${compactionPauseS} seconds; after a Ctrl-C, \`segments compact\` continues.
`,
  examples: [
    "ops import trades BTCUSDT-trades-2026-11-24.zip --market BTC-USDT --format binance",
    "ops import trades busted.ndjson --market BTC-USD --withdraw",
  ],
  exits: {
    0: "all stored",
    1: "some lines were refused, share tdt and tid with another trade, or take back one that is not there",
    2: "the store or the file failed, or the file has another format",
  },
  on: "store, made if missing",
  takes: {
    ...fileTakes,
    ...tradeTakes,
    "--withdraw": "take these trades back: readers no longer see them",
    ...DROP_UNKNOWN,
  },
  dryRun: "check everything, and store nothing",
  stops: "Stopping …",
  json: importJson,
  async run(given, context) {
    const { market, format, revision, withdraw, lastLine, dropUnknown, dryRun } = given;
    if (withdraw && revision === 0) throw new OperatorError("--withdraw needs a revision of 1 or more.");
    if (dropUnknown && format !== "ndjson")
      throw new OperatorError(
        "--drop-unknown goes with --format ndjson: only its members are the contract's.",
      );
    const order = {
      file: recordFile(given, { holds: "trades", format }),
      kind: "trades" as const,
      owner: market.symbol,
      isNewExpected: false,
      isRehearsal: dryRun,
      command: withdraw ? "import trades --withdraw" : "import trades",
      market,
      format,
      revision,
      isWithdrawal: withdraw,
      takesLastLine: lastLine,
      dropsUnknown: dropUnknown,
    };
    const store = await context.store(withdraw ? "something to be there" : undefined);
    return { exitCode: await importTradeFile(store, order, context) };
  },
});
