import type { Command } from "commander";
import { type Market, marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { commands } from "../../local/installation.ts";
import { withExistingStore, withStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { OperatorError } from "../terminal/operator-error.ts";
import { printTable } from "../terminal/write-table.ts";

const PUT_HELP = `
Readers see the market, or its new name, within five seconds. Everything else about a market follows from its symbol.

Example:
  ${commands.ops} markets put PEPE-USD --asset-name Pepe

Exit codes: 0 listed, 2 not listed.`;

const LIST_HELP = `
Example:
  ${commands.ops} markets list

Exit codes: 0 listed, 2 not listed.`;

interface PutOptions extends StoreOptions {
  readonly assetName?: string;
}

function readMarket(symbol: string, assetName: string | undefined): Market {
  try {
    return marketOf(symbol, assetName);
  } catch (error) {
    if (error instanceof RangeError) throw new OperatorError(error.message, error);
    throw error;
  }
}

async function put(symbol: string, options: PutOptions): Promise<void> {
  const market = readMarket(symbol, options.assetName);
  await withStore(options, ({ table }) => new MarketRegister(table("Settings")).put(market));
  console.log(`${market.symbol} is listed, as ${market.anm} in ${market.pc}.`);
}

async function list(options: StoreOptions): Promise<void> {
  const rows = await withExistingStore(options, async ({ table }) => {
    const markets = await Array.fromAsync(new MarketRegister(table("Settings")).list());
    return markets
      .map(({ symbol, anm, pc }) => [symbol, anm, pc])
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  });
  if (rows.length === 0) console.log("No market is listed.");
  else printTable({ head: ["SYMBOL", "ASSET", "PRICED IN"], rows });
}

/** `markets put`: lists a market, or gives its asset another name. */
export function putMarket(group: Command): void {
  addStoreOptions(
    group
      .command("put")
      .description("list a market, or change the name of its asset")
      .argument("<symbol>", "BASE-QUOTE, such as BTC-USD")
      .option("--asset-name <name>", "the full name of the base asset"),
  )
    .addHelpText("after", PUT_HELP)
    .action(put);
}

/** `markets list`: prints the listed markets. */
export function listMarkets(group: Command): void {
  addStoreOptions(group.command("list").description("show the listed markets"))
    .addHelpText("after", LIST_HELP)
    .action(list);
}
