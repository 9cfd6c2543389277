import { ownMember } from "../own-member.ts";

/** A trading pair that the exchange lists, with the constants of its trades by the contract's members. */
export interface Market {
  /** BASE-QUOTE, upper case. */
  readonly symbol: string;
  /** Crypto-asset ID code. */
  readonly aid: string;
  /** Crypto-asset full name. */
  readonly anm: string;
  /** Price currency. */
  readonly pc: string;
  /** Price notation. */
  readonly pn: string;
  /** Quantity currency. */
  readonly qc: string;
  /** Quantity notation. */
  readonly qn: string;
}

/** Prices are sums of money, and quantities are counts of units; the contract leaves the notations open. */
const PRICE_NOTATION = "MONE";
const QUANTITY_NOTATION = "UNIT";

/** The form of a market's symbol, and of the name of an asset. */
export const SYMBOL = /^([A-Z0-9]{1,20})-([A-Z0-9]{1,20})$/;
export const ASSET_NAME = /^[^\p{Cc}\s](?:[^\p{Cc}]{0,98}[^\p{Cc}\s])?$/u;

/** Names of well-known assets. Any other asset is named by its code until an operator gives a name. */
const ASSET_NAMES: Readonly<Record<string, string>> = {
  ADA: "Cardano",
  BTC: "Bitcoin",
  DOGE: "Dogecoin",
  DOT: "Polkadot",
  ETH: "Ethereum",
  LTC: "Litecoin",
  SOL: "Solana",
  USDC: "USD Coin",
  USDT: "Tether",
  XRP: "XRP",
};

/** Whether a text has the form of a market's symbol. */
export const isSymbol = (text: string): boolean => SYMBOL.test(text);

/**
 * The market of a pair, such as `BTC-USD`: bitcoins, priced in dollars.
 *
 * @throws {RangeError} for a symbol or a name of another form, with a message for the operator.
 */
export function marketOf(symbol: string, assetName?: string): Market {
  const [, base, quote] = SYMBOL.exec(symbol) ?? [];
  if (base === undefined || quote === undefined) {
    throw new RangeError("A market is BASE-QUOTE in upper-case letters and digits, such as BTC-USD.");
  }
  const name = assetName ?? ownMember(ASSET_NAMES, base) ?? base;
  if (!ASSET_NAME.test(name)) throw new RangeError("An asset's name is one line of 1 to 100 characters.");
  return { symbol, aid: base, anm: name, pc: quote, pn: PRICE_NOTATION, qc: base, qn: QUANTITY_NOTATION };
}
