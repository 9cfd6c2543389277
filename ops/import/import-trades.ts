import { type Command, Option } from "commander";
import { type Market, marketOf } from "../../lib/markets/market.ts";
import { REVISION_MAX } from "../../lib/trades/segment.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { compactionPauseS } from "../segments/run-compaction.ts";
import { withExistingStore, withStore, withStoreToLookAt } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption } from "../terminal/json-output.ts";
import { dropUnknownOption, dryRunOption, rejectsOption } from "./import-options.ts";
import { exampleReport, importReport } from "./import-report.ts";
import { recordFile } from "./read-file.ts";
import { type TradeFormat, tradeFormats } from "./trades/formats.ts";
import { importTradeFile } from "./trades/trade-import.ts";

const HELP = `
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

Examples:
  ${commands.ops} import trades BTCUSDT-trades-2026-11-24.zip --market BTC-USDT --format binance
  ${commands.ops} import trades busted.ndjson --market BTC-USD --withdraw

Exit codes: 0 all stored, 1 some lines were refused, share tdt and tid with another trade, or take back one that is not there,
2 the store or the file failed, or the file has another format, 130 stopped by Ctrl-C.`;

interface Options extends StoreOptions {
  readonly market: Market;
  readonly format: TradeFormat;
  readonly rejects?: string;
  readonly revision?: number;
  readonly withdraw?: true;
  readonly lastLine?: true;
  readonly dropUnknown?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

export function parseRevision(text: string): number {
  const revision = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (revision <= REVISION_MAX) return revision;
  throw new RangeError(`A revision is a whole number from 0 to ${REVISION_MAX}.`);
}

function requireSense({ withdraw, revision, dropUnknown, format }: Options): void {
  if (withdraw === true && revision === 0)
    throw new OperatorError("--withdraw needs a revision of 1 or more.");
  if (dropUnknown === true && format !== "ndjson")
    throw new OperatorError("--drop-unknown goes with --format ndjson: only its members are the contract's.");
}

async function importFile(file: string, options: Options): Promise<void> {
  requireSense(options);
  const { market, format, revision } = options;
  const isRehearsal = options.dryRun === true;
  const isWithdrawal = options.withdraw === true;
  const order = {
    file: recordFile(file, options, { holds: "trades", format }),
    kind: "trades",
    owner: market.symbol,
    isNewExpected: false,
    isRehearsal,
    command: isWithdrawal ? "import trades --withdraw" : "import trades",
    json: options.json === true,
    market,
    format,
    revision,
    isWithdrawal,
    takesLastLine: options.lastLine === true,
    dropsUnknown: options.dropUnknown === true,
  } as const;
  const open = isWithdrawal ? withExistingStore : isRehearsal ? withStoreToLookAt : withStore;
  process.exitCode = await open(options, (store) => importTradeFile(store, order));
}

/** `import trades`: the trades of one market, from a file of one of several formats. */
export function importTrades(group: Command): void {
  const command = group
    .command("trades")
    .description("import the trades of a market")
    .argument("<file>", "the file to import, or - for standard input")
    .requiredOption("--market <symbol>", "the market of the trades, such as BTC-USD", optionOf(marketOf))
    .addOption(
      new Option("--format <name>", "the format of the file")
        .choices(Object.keys(tradeFormats))
        .default("ndjson"),
    )
    .addOption(rejectsOption())
    .option(
      "--revision <number>",
      "0 for first reports, a higher number for corrections (default: 0)",
      optionOf(parseRevision),
    )
    .option("--withdraw", "take these trades back: readers no longer see them")
    .option("--last-line", "accept a last line that ends with a number and no newline")
    .addOption(dropUnknownOption())
    .addOption(dryRunOption());
  addJsonOption(addStoreOptions(command), importReport, exampleReport)
    .addHelpText("after", HELP)
    .action((file: string, options: Options) => importFile(file, options));
}
