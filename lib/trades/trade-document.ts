import * as z from "zod/mini";
import { type Checked, notOk } from "../checked.ts";
import { checkDocument } from "../json/check-document.ts";
import { isExactNumber } from "../json/exact-json.ts";
import { object, optional } from "../json/object-members.ts";
import type { Trade } from "./trade.ts";
import { TRADE_ID_RULE, tradeIdOf } from "./trade-id.ts";
import { type Side, tradeSides } from "./trade-kinds.ts";
import { tradeViolation } from "./trade-rules.ts";
import type { MarketConstants } from "./trade-text.ts";

/** A trade without an id, as its source reports it. */
export interface Print {
  readonly symbol: string;
  /** Epoch microseconds, as finely as the source knows them. */
  readonly tradedAtMicros: string;
  readonly price: string;
  readonly quantity: string;
  readonly side?: Side | undefined;
}

/** The context in which documents are checked: their market, and the ids for trades that have none of their own. */
export interface DocumentContext {
  readonly symbol: string;
  readonly market: MarketConstants;
  readonly venue: string;
  /** Makes ids; left out where each trade must have one of its own. */
  readonly ids?: { readonly next: (print: Print) => string };
}

/** A whole number of milliseconds; `tradeViolation` checks its bounds. */
const instant = z.pipe(
  z.custom<{ readonly rawJSON: string }>(
    (value) => isExactNumber(value) && /^\d{1,16}$/.test(value.rawJSON),
    {
      error: (issue) => (issue.input === undefined ? "is required" : "must be whole epoch milliseconds"),
    },
  ),
  z.transform(({ rawJSON }) => Number(rawJSON)),
);

/** A number could have lost digits before it came here. */
const decimal = z.string('must be a string of plain digits, such as "100.00"');

const id = z.pipe(
  z.pipe(
    z.transform((value: unknown) => (isExactNumber(value) ? value.rawJSON : value)),
    z.string(TRADE_ID_RULE),
  ),
  z.transform((text, context) => {
    const read = tradeIdOf(text);
    if (read !== undefined) return read;
    context.issues.push({ code: "custom", message: TRADE_ID_RULE, input: text });
    return z.NEVER;
  }),
);

const constant = (value: string) =>
  optional(z.literal(value, `must be "${value}", as everywhere in this market`));

/** The contract's trade record. Its constants may be left out; those that are given must be the market's. */
export const tradeDocument = ({ market, venue }: Pick<DocumentContext, "market" | "venue">) =>
  object({
    tdt: instant,
    aid: constant(market.aid),
    anm: optional(z.string()),
    p: decimal,
    pc: constant(market.pc),
    pn: constant(market.pn),
    q: decimal,
    qc: constant(market.qc),
    qn: constant(market.qn),
    ve: constant(venue),
    pdt: optional(instant),
    vp: constant(venue),
    tid: optional(id),
    s: optional(z.enum(tradeSides)),
  });

/**
 * Returns a reader of trades in the contract's own shape, one JSON document each. `pdt` is `tdt` unless given, and
 * never the time of reading, so that the same document gives the same trade. A missing `tid` is made from the rest.
 */
export function tradeDocumentReader(context: DocumentContext): (text: string) => Checked<Trade> {
  const shape = tradeDocument(context);
  return (text) => {
    const checked = checkDocument(shape, text);
    if (!checked.ok) return checked;
    const { tdt, pdt = tdt, p, q, tid, s } = checked.value;
    const trade = {
      tradedAt: tdt,
      publishedAt: pdt,
      price: p,
      quantity: q,
      id: tid ?? "0".repeat(32),
      ...(s !== undefined && { side: s }),
    };
    const violation = tradeViolation(trade);
    if (violation !== undefined) return notOk(violation);
    if (tid !== undefined) return { ok: true, value: trade };
    if (context.ids === undefined)
      return notOk("tid is required, because two equal trades could not be told apart");
    const print = { symbol: context.symbol, tradedAtMicros: `${tdt}000`, price: p, quantity: q, side: s };
    return { ok: true, value: { ...trade, id: context.ids.next(print) } };
  };
}
