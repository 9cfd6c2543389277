import type { Command } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { type Market, marketOf } from "../../lib/markets/market.ts";
import { type ListedMarket, MarketRegister } from "../../lib/markets/market-register.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { actorOf } from "../audit/actor.ts";
import { recordChange } from "../audit/record-change.ts";
import { withExistingStore, withStore, withStoreToLookAt } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, jsonTime, printJson } from "../terminal/json-output.ts";
import { instantText, printTable } from "../terminal/write-table.ts";

const PUT_HELP = `
Readers see the market within a second, and its new name within five. \`markets list\` shows who set it, and when. Everything else about a market follows from its symbol.

Example:
  ${commands.ops} markets put PEPE-USD --asset-name Pepe

Exit codes: 0 listed, 2 not listed.`;

const LIST_HELP = `
Example:
  ${commands.ops} markets list

Exit codes: 0 listed, 2 not listed.`;

interface ListOptions extends StoreOptions {
  readonly json?: true;
}

interface PutOptions extends ListOptions {
  readonly assetName?: string;
  readonly dryRun?: true;
}

const shape = z.object({
  symbol: z.string(),
  asset: z.string(),
  pricedIn: z.string(),
  /** When it was listed or changed last; null where that was not kept. */
  setAt: z.nullable(jsonTime),
  setBy: z.nullable(z.string()),
});

const listShape = z.array(shape);

const example: z.input<typeof shape> = {
  symbol: "PEPE-USD",
  asset: "Pepe",
  pricedIn: "USD",
  setAt: "2026-11-29T09:00:00.000Z",
  setBy: "arn:aws:sts::123456789012:assumed-role/operators/mara",
};

const jsonOf = ({ symbol, anm, pc, set }: ListedMarket): z.input<typeof shape> => ({
  symbol,
  asset: anm,
  pricedIn: pc,
  setAt: set === undefined ? null : instantText(set.at),
  setBy: set?.by ?? null,
});

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
  const isDry = options.dryRun === true;
  await (isDry ? withStoreToLookAt : withStore)(options, async (store) => {
    const set = { at: systemClock(), by: await actorOf(store) };
    if (!isDry) {
      await new MarketRegister(store.table("Settings")).put(market, set);
      await recordChange(store, { command: "markets put", target: `market ${market.symbol}` });
    }
    if (options.json === true) return printJson(shape, jsonOf({ ...market, set }));
    console.log(`${market.symbol} ${isDry ? "would be" : "is"} listed, as ${market.anm} in ${market.pc}.`);
  });
}

async function list(options: ListOptions): Promise<void> {
  const markets = await withExistingStore(options, ({ table }) =>
    Array.fromAsync(new MarketRegister(table("Settings")).list()),
  );
  const rows = markets.map(jsonOf).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  if (options.json === true) printJson(listShape, rows);
  else if (rows.length === 0) console.log("No market is listed.");
  else
    printTable({
      head: ["SYMBOL", "ASSET", "PRICED IN", "SINCE", "BY"],
      rows: rows.map(({ symbol, asset, pricedIn, setAt, setBy }) => [
        symbol,
        asset,
        pricedIn,
        setAt ?? "-",
        setBy ?? "-",
      ]),
    });
}

/** `markets put`: lists a market, or gives its asset another name. */
export function putMarket(group: Command): void {
  const command = addStoreOptions(
    group
      .command("put")
      .description("list a market, or change the name of its asset")
      .argument("<symbol>", "BASE-QUOTE, such as BTC-USD")
      .option("--asset-name <name>", "the full name of the base asset")
      .option("--dry-run", "say what would be listed, and store nothing"),
  );
  addJsonOption(command, shape, example).addHelpText("after", PUT_HELP).action(put);
}

/** `markets list`: prints the listed markets. */
export function listMarkets(group: Command): void {
  const command = addStoreOptions(
    group.command("list").description("show the listed markets, and who set them when"),
  );
  addJsonOption(command, listShape, [example]).addHelpText("after", LIST_HELP).action(list);
}
