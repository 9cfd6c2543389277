import type { Clock } from "../clock.ts";
import type { Item } from "../dynamo/item.ts";
import { ReadCache } from "../dynamo/read-cache.ts";
import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { ownMember } from "../own-member.ts";
import { isSymbol, type Market } from "./market.ts";

const PREFIX = "market#";

/** Key of a market among the settings. */
export const marketId = (symbol: string): string => `${PREFIX}${symbol}`;

/** Key of the item that names every market; no market has this key. */
export const MARKET_LIST_ID = "markets";

/** The symbols of all markets; `no list` in a store that has no list yet. */
type MarketList = readonly string[] | "no list";

/** The part that all spellings of one symbol share. */
const lettersOf = (symbol: string): string => symbol.toUpperCase().replace(/[^A-Z0-9]/g, "");

/**
 * Reads each market, and the list of all markets, at most every five seconds. Unknown symbols cost no reads of their
 * own, however many are asked for.
 */
export class MarketStore {
  readonly #table: Table;
  readonly #markets: ReadCache<Market>;
  readonly #lists: ReadCache<MarketList>;

  constructor(table: Table, clock: Clock) {
    this.#table = table;
    this.#markets = new ReadCache(clock);
    this.#lists = new ReadCache(clock);
  }

  /**
   * The market of a symbol; undefined when it is not listed, or was not five seconds ago. A text that cannot be a
   * symbol costs no read.
   */
  async get(symbol: string): Promise<Market | undefined> {
    if (!isSymbol(symbol)) return undefined;
    return await this.#markets.get(symbol, async () => {
      const list = await this.#list();
      if (list !== "no list" && !list.includes(symbol)) return undefined;
      const item = await this.#get(marketId(symbol));
      return item && marketOfItem(item);
    });
  }

  /** The listed symbol that differs from this one only in case and separators. */
  async similarTo(symbol: string): Promise<string | undefined> {
    const list = await this.#list();
    return list === "no list" ? undefined : list.find((listed) => lettersOf(listed) === lettersOf(symbol));
  }

  async #list(): Promise<MarketList> {
    const read = async (): Promise<MarketList> => (await this.#get(MARKET_LIST_ID))?.symbols?.SS ?? "no list";
    return (await this.#lists.get(MARKET_LIST_ID, read)) ?? "no list";
  }

  #get(id: string): Promise<Item | undefined> {
    return readItem(this.#table, { key: { id } });
  }
}

/** @throws {Error} for an item that lacks a member of a market. */
export function marketOfItem(item: Item): Market {
  const text = (name: string): string => {
    const value = ownMember(item, name)?.S;
    if (value === undefined) throw new Error(`A stored market lacks ${name}.`);
    return value;
  };
  return {
    symbol: text("id").slice(PREFIX.length),
    aid: text("aid"),
    anm: text("anm"),
    pc: text("pc"),
    pn: text("pn"),
    qc: text("qc"),
    qn: text("qn"),
  };
}
