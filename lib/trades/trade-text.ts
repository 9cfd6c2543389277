import type { Market } from "../markets/market.ts";
import { decimalText } from "./decimal.ts";
import { idAt, type Row, sideAt } from "./segment-columns.ts";

/** The constants that all trades of a market share, by the contract's members. */
export type MarketConstants = Omit<Market, "symbol">;

/**
 * Writes trades of one market as the contract's records, in the order of its members. The text is put together from the
 * columns: values that all records share are escaped once, and the others need no escaping.
 *
 * @param venue where all trades are executed and published (`ve`, `vp`).
 */
export function recordWriter(market: MarketConstants, venue: string): (row: Row) => string {
  const member = (name: string, value: string) => `"${name}":${JSON.stringify(value)},`;
  const asset = `,${member("aid", market.aid)}${member("anm", market.anm)}"p":"`;
  const price = `",${member("pc", market.pc)}${member("pn", market.pn)}"q":"`;
  const quantity = `",${member("qc", market.qc)}${member("qn", market.qn)}${member("ve", venue)}"pdt":`;
  const publication = `,${member("vp", venue)}"tid":"`;
  return ({ columns, row }) => {
    const { prices, quantities } = columns;
    const p = decimalText(prices.mantissas[row] ?? 0, prices.scales[row] ?? 0);
    const q = decimalText(quantities.mantissas[row] ?? 0, quantities.scales[row] ?? 0);
    const side = sideAt(columns, row);
    const end = side === undefined ? '"}' : `","s":"${side}"}`;
    return `{"tdt":${columns.tradedAt[row]}${asset}${p}${price}${q}${quantity}${columns.publishedAt[row]}${publication}${idAt(columns, row)}${end}`;
  };
}
