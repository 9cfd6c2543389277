import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../clock.ts";
import { ReadCache } from "../dynamo/cache.ts";
import { readItem } from "../dynamo/read-item.ts";
import type { Market } from "./market.ts";

const PREFIX = "market#";

/** Key of a market among the settings. */
export const marketId = (symbol: string): string => `${PREFIX}${symbol}`;

type Item = Readonly<Record<string, AttributeValue>>;

/** Reads markets, each at most every five seconds. One that is not listed is looked up again each time. */
export class MarketStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  readonly #cache: ReadCache<Market>;

  constructor(client: DynamoDBClient, tableName: string, clock: Clock) {
    this.#client = client;
    this.#tableName = tableName;
    this.#cache = new ReadCache(clock);
  }

  /** The market of a symbol; `undefined` when it is not listed. */
  async find(symbol: string): Promise<Market | undefined> {
    return await this.#cache.get(symbol, async () => {
      const key = { id: marketId(symbol) };
      const item = await readItem(this.#client, { tableName: this.#tableName, key });
      return item && marketOfItem(item);
    });
  }
}

/** @throws {Error} for an item that no register wrote. */
export function marketOfItem(item: Item): Market {
  const text = (name: string): string => {
    const value = item[name]?.S;
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
