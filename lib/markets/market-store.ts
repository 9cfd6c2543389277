import type { Clock } from "../clock.ts";
import type { Item } from "../dynamo/item.ts";
import { ReadCache } from "../dynamo/read-cache.ts";
import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { LoggableError } from "../errors.ts";
import { ownMember } from "../own-member.ts";
import { isSymbol, type Market } from "./market.ts";

const PREFIX = "market#";

/** Key of a market among the settings. */
export const marketId = (symbol: string): string => `${PREFIX}${symbol}`;

/** Key of the item that names every market; no market has this key. */
export const MARKET_LIST_ID = "markets";

/** The symbols of all markets; `no list` in a store that has no list yet. */
type MarketList = readonly string[] | "no list";

/** Whether a symbol may have an item: in a store without a list, only the item tells. */
const isListed = (symbol: string, list: MarketList): boolean => list === "no list" || list.includes(symbol);

/** The part that all spellings of one symbol share. */
const lettersOf = (symbol: string): string => symbol.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** How old the list may be that a symbol is not found in: the first thing after an import is to look. */
const MISSED_MS = 1_000;

/**
 * Reads each market at most every five seconds, and the list of all markets too, or every second while symbols are asked
 * for that it lacks. Unknown symbols cost no other reads, however many are asked for.
 */
export class MarketStore {
  readonly #table: Table;
  readonly #markets: ReadCache<Market>;
  readonly #lists: ReadCache<MarketList>;
  /** The list while it is read: a batch of messages asks for all its markets at once. */
  #underWay: Promise<MarketList> | undefined;

  constructor(table: Table, clock: Clock, steady?: Clock) {
    this.#table = table;
    this.#markets = new ReadCache(clock, steady);
    this.#lists = new ReadCache(clock, steady);
  }

  /**
   * The market of a symbol; undefined when it is not listed, or was not a second ago. A text that cannot be a symbol costs
   * no read.
   */
  async get(symbol: string): Promise<Market | undefined> {
    if (!isSymbol(symbol)) return undefined;
    return await this.#markets.get(symbol, async () => {
      if (!isListed(symbol, await this.#list()) && !isListed(symbol, await this.#list(MISSED_MS)))
        return undefined;
      const item = await this.#get(marketId(symbol));
      return item && marketOfItem(item);
    });
  }

  /** The listed symbol that differs from this one only in case and separators. */
  async similarTo(symbol: string): Promise<string | undefined> {
    const list = await this.#list(MISSED_MS);
    return list === "no list" ? undefined : list.find((listed) => lettersOf(listed) === lettersOf(symbol));
  }

  async #list(freshMs?: number): Promise<MarketList> {
    return (await this.#lists.get(MARKET_LIST_ID, () => this.#readList(), freshMs)) ?? "no list";
  }

  async #readList(): Promise<MarketList> {
    const read = async (): Promise<MarketList> => (await this.#get(MARKET_LIST_ID))?.symbols?.SS ?? "no list";
    this.#underWay ??= read().finally(() => {
      this.#underWay = undefined;
    });
    return await this.#underWay;
  }

  #get(id: string): Promise<Item | undefined> {
    return readItem(this.#table, { key: { id } });
  }
}

/** @throws {Error} for an item that lacks a member of a market. */
export function marketOfItem(item: Item): Market {
  const text = (name: string): string => {
    const value = ownMember(item, name)?.S;
    if (value === undefined) throw new LoggableError(`A stored market lacks ${name}.`);
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
