import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { type Market, marketOf } from "../../lib/markets/market.ts";
import { type ListedMarket, MarketRegister } from "../../lib/markets/market-register.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { actorOf } from "../audit/actor.ts";
import { defineCommand } from "../command.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { instantOrNull } from "../terminal/write-table.ts";

const shape = z.object({
  symbol: z.string(),
  asset: z.string(),
  pricedIn: z.string(),
  /** When it was listed or changed last; null where that was not kept. */
  setAt: z.nullable(jsonTime),
  setBy: z.nullable(z.string()),
});

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
  setAt: instantOrNull(set?.at),
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

/** `markets put`: lists a market, or gives its asset another name. */
export const putMarket = defineCommand({
  words: "markets put",
  summary: "list a market, or change the name of its asset",
  about: `
Readers see the market within a second, and its new name within five. \`markets list\` shows who set it, and when. Everything else about a market follows from its symbol.`,
  examples: ["ops markets put PEPE-USD --asset-name Pepe"],
  exits: "listed",
  on: "store, made if missing",
  takes: {
    "<symbol>": "BASE-QUOTE, such as BTC-USD",
    "--asset-name <name>": "the full name of the base asset",
  },
  dryRun: "say what would be listed, and store nothing",
  json: { shape, example },
  async run({ symbol, assetName, dryRun }, { store: open }) {
    const market = readMarket(symbol, assetName);
    const store = await open();
    const set = { at: systemClock(), by: await actorOf(store) };
    if (!dryRun) await new MarketRegister(store.table("Settings")).put(market, set);
    return {
      audit: { target: `market ${market.symbol}` },
      json: jsonOf({ ...market, set }),
      text: `${market.symbol} ${dryRun ? "would be" : "is"} listed, as ${market.anm} in ${market.pc}.`,
    };
  },
});

/** `markets list`: prints the listed markets. */
export const listMarkets = defineCommand({
  words: "markets list",
  summary: "show the listed markets, and who set them when",
  examples: ["ops markets list"],
  exits: "listed",
  on: "store",
  json: { shape: z.array(shape), example: [example] },
  async run(_, { store }) {
    const markets = await Array.fromAsync(new MarketRegister((await store()).table("Settings")).list());
    const listed = markets.map(jsonOf).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
    const rows = listed.map(({ symbol, asset, pricedIn, setAt, setBy }) => [
      symbol,
      asset,
      pricedIn,
      setAt ?? "-",
      setBy ?? "-",
    ]);
    const table = { head: ["SYMBOL", "ASSET", "PRICED IN", "SINCE", "BY"], rows };
    return { json: listed, text: rows.length === 0 ? "No market is listed." : table };
  },
});
