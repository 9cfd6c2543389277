import type { Trade } from "../../client/src/index.ts";
import { ownMember } from "../../lib/own-member.ts";
import type { ColumnKind, Dataset, SentRecord } from "./dataset.ts";

/** Every member of a trade, so that a member which the contract adds fails to compile here. */
const kinds: Readonly<Record<keyof Trade, ColumnKind>> = {
  tdt: "instant",
  aid: "text",
  anm: "text",
  p: "amount",
  pc: "text",
  pn: "text",
  q: "amount",
  qc: "text",
  qn: "text",
  ve: "text",
  pdt: "instant",
  vp: "text",
  tid: "text",
  s: "text",
};

/** Trades: a row each. */
export const tradeDataset: Dataset = {
  columns: Object.entries(kinds).map(([name, kind]) => ({ name, kind })),
  rowsOf: (line) => {
    const trade = JSON.parse(line) as Readonly<Record<string, string | number>>;
    return [Object.keys(kinds).map((name) => ownMember(trade, name)?.toString())];
  },
};

/** A trade as it is written down. Its amounts are strings, and its numbers are whole, so that no digit is lost. */
export const sentTrade = (trade: Trade): SentRecord => ({
  line: JSON.stringify(trade),
  instant: new Date(trade.tdt).toISOString(),
  id: trade.tid,
});
