import { type Command, Option } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { type Market, marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { withdrawTrades, writeTrades } from "../../lib/trades/trade-writer.ts";
import { defaultRejectsPath } from "../import/run-import.ts";
import { type TradeFormat, tradeFormats } from "../import/trades/formats.ts";
import { runTradeImport } from "../import/trades/run-trade-import.ts";
import { OperatorError } from "../operator-error.ts";
import { type OperatorStore, withStore } from "../store.ts";
import { addStoreOptions, callersPath, optionOf, type StoreOptions } from "../store-options.ts";

const REVISION_MAX = 1_000_000;

const HELP = `
Formats, plain, gzip or zip (one file); - reads standard input, plain or gzip:
  ndjson    the contract's own records, one a line; what all trades of a market share may be left out
  binance   public dumps of trades: id,price,qty,quoteQty,time,isBuyerMaker,…  (ms or µs, with a heading or without)
  kraken    public dumps of trades: time,price,volume                          (seconds with a fraction)
  coinbase  match records, one JSON object a line; their side is the maker's and is turned into the taker's, and those of
            other products are passed over

Ids: a number becomes 32 digits with zeros before it; a missing id is made from the trade, so that it is the same each time.
A market that is not listed yet is listed, with its assets' codes: \`markets put\` changes its asset's name.
Importing a file again, or one that overlaps it, changes nothing that a reader sees. Ctrl-C finishes the writes in flight;
the same command run again completes it.

Wrong trades: import right records of them (same tdt and tid) with --revision 1, or take them back with --withdraw.
A second correction needs a higher revision.

Examples:
  npm run ops -- import trades BTCUSDT-trades-2026-11-24.zip --market BTC-USDT --format binance
  npm run ops -- import trades busted.ndjson --market BTC-USD --withdraw

Exit codes: 0 all stored, 1 some lines were refused, 2 the store or the file failed, 130 stopped by Ctrl-C.`;

interface Options extends StoreOptions {
  readonly market: Market;
  readonly format: TradeFormat;
  readonly rejects?: string;
  readonly revision?: number;
  readonly withdraw?: true;
}

function parseRevision(text: string): number {
  const revision = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (revision <= REVISION_MAX) return revision;
  throw new RangeError(`A revision is a whole number from 0 to ${REVISION_MAX}.`);
}

/** The market as it is listed; it is listed first when it is not. */
async function listedMarket({ client, tableName }: OperatorStore, market: Market): Promise<Market> {
  const isNew = await new MarketRegister(client, tableName("Settings")).add(market);
  if (isNew) console.error(`${market.symbol} is listed now, as ${market.anm} in ${market.pc}.`);
  const listed = await new MarketStore(client, tableName("Settings"), systemClock).find(market.symbol);
  return listed ?? market;
}

function writerOf({ client, tableName }: OperatorStore, symbol: string, { withdraw, revision }: Options) {
  const store = new TradeRegister(client, tableName("Trades"));
  if (withdraw === true) {
    if (revision === 0) throw new OperatorError("--withdraw needs a revision of 1 or more.");
    return (trades: readonly Trade[]) => withdrawTrades(store, symbol, trades, revision ?? 1);
  }
  return (trades: readonly Trade[]) => writeTrades(store, symbol, trades, revision);
}

async function importFile(file: string, options: Options): Promise<void> {
  process.exitCode = await withStore(options, async (store) => {
    const market = await listedMarket(store, options.market);
    const { symbol } = market;
    return await runTradeImport({
      file: file === "-" ? file : callersPath(file),
      rejects: callersPath(options.rejects ?? defaultRejectsPath(file)),
      parse: tradeFormats[options.format]({ symbol, market, venue: store.brand.venue }),
      write: writerOf(store, symbol, options),
      clock: systemClock,
    });
  });
}

/** `import trades`: the trades of one market, from a file of one of several formats. */
export function importTrades(group: Command): void {
  const command = group
    .command("trades")
    .description("import the trades of a market")
    .argument("<file>", "the file to import, or - for standard input")
    .requiredOption("--market <symbol>", "the market they are of, such as BTC-USD", optionOf(marketOf))
    .addOption(
      new Option("--format <name>", "the format of the file")
        .choices(Object.keys(tradeFormats))
        .default("ndjson"),
    )
    .option("--rejects <path>", "where refused lines are listed (default: <file>.rejects.ndjson)")
    .option(
      "--revision <number>",
      "0 for first reports, more for corrections (default: 0)",
      optionOf(parseRevision),
    )
    .option("--withdraw", "take these trades back: readers see nothing in their places");
  addStoreOptions(command)
    .addHelpText("after", HELP)
    .action((file: string, options: Options) => importFile(file, options));
}
