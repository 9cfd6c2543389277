import { unavailable } from "../errors.ts";
import type { Market } from "../markets/market.ts";
import type { MarketStore } from "../markets/market-store.ts";
import type { GivenRecord } from "./delivery.ts";
import { attempt, giveBack, type Work } from "./work.ts";
import { recordKey, type Versions } from "./write-records.ts";

/**
 * How often a message is received before a market that is not listed counts as one that never will be: its own message
 * may still be under way, and may itself be returned once.
 */
export const UNKNOWN_MARKET_RECEIVES = 3;

/** Lets trades wait for their batch's own records of their market. */
export class Listings {
  readonly #ends: ReadonlyMap<unknown, PromiseWithResolvers<void>>;

  constructor(markets: Versions, trades: readonly GivenRecord[]) {
    const keys = new Set(trades.map(({ head: { owner: symbol = "" } }) => recordKey("", symbol)));
    this.#ends = new Map(
      [...keys].filter((key) => markets.has(key)).map((key) => [key, Promise.withResolvers()]),
    );
  }

  /** The end of the records of a market; undefined where there are none. */
  readonly of = (symbol: string): Promise<void> | undefined => this.#ends.get(recordKey("", symbol))?.promise;

  /** Notes the end of a record's versions. */
  readonly end = (key: unknown): void => this.#ends.get(key)?.resolve();
}

/** Where the markets of trades are found. */
export interface Markets {
  /** Makes a reader that remembers nothing yet, not even which markets there are. */
  readonly reader: () => Pick<MarketStore, "get">;
  readonly listings: Pick<Listings, "of">;
}

/**
 * Makes a search for the markets of a batch's trades. Without its market, trades are returned or rejected. Only a market that
 * is not listed waits for its own records.
 */
export function marketFinder(
  { reader, listings }: Markets,
  work: Work,
): (symbol: string, given: readonly GivenRecord[]) => Promise<Market | undefined> {
  const first = reader();
  return async (symbol, given) => {
    const ask = (from: Pick<MarketStore, "get">) => attempt(work, () => from.get(symbol));
    try {
      const listed = await ask(first);
      const ownRecords = listed === undefined ? listings.of(symbol) : undefined;
      const market = ownRecords === undefined ? listed : await ownRecords.then(() => ask(reader()));
      if (market === undefined) for (const record of given) leave(record, work);
      return market;
    } catch (error) {
      for (const { delivery } of given) giveBack(delivery, error, work);
      return undefined;
    }
  };
}

/** Returns or rejects a trade without a market. */
function leave(record: GivenRecord, work: Work): void {
  const { delivery } = record;
  if (delivery.receiveCount < UNKNOWN_MARKET_RECEIVES)
    giveBack(delivery, unavailable("The market of trades is not listed yet."), work);
  else delivery.reject(record, "unknown_market", "owner must be the symbol of a listed market");
}
