import type { Context } from "aws-lambda";
import { idOf } from "../../bench/support/busy-trades.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import type { Limiter } from "../../lib/http/limit.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { planListTrades } from "../../lib/trades/list-trades.ts";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import type { Place, Trade } from "../../lib/trades/trade.ts";
import { type PageQuestion, readPage, type SegmentSource } from "../../lib/trades/trade-reader.ts";
import { DAY_MS, freeLimiter, NOW } from "./chain.ts";

export { DAY_MS, NOW };

/** A trade as the endpoint serves it. */
export const servedTrade = {
  tdt: 1_795_553_998_500,
  aid: "ETH",
  anm: "Ethereum",
  p: "60001.010",
  pc: "GBP",
  pn: "MONE",
  q: "0.991438254750782685",
  qc: "ETH",
  qn: "UNIT",
  ve: "VENUE",
  pdt: 1_795_553_998_501,
  vp: "VENUE",
  tid: "0123456789abcdef0123456789abcdef",
} as const;

/** A trade as the endpoint serves it, that was made and published at an instant. */
export const servedAt = (tdt: number, tid: string) => ({ ...servedTrade, tdt, pdt: tdt, tid });

export function trade(n: number, tradedAt: number, changes: Partial<Trade> = {}): Trade {
  return {
    tradedAt,
    publishedAt: tradedAt,
    price: `${60_000 + (n % 97)}.${String(n % 100).padStart(2, "0")}`,
    quantity: `0.${String((n * 7919) % 100_000_000).padStart(8, "0")}`,
    id: idOf(n),
    side: n % 2 === 0 ? "buy" : "sell",
    ...changes,
  };
}

export const placeText = ({ tradedAt, id }: Place): string => `${tradedAt}/${id}`;

/** Everything that readers see of a trade, as a text. */
export const recordText = (record: Trade): string =>
  [record.tradedAt, record.id, record.price, record.quantity, record.side ?? "", record.publishedAt].join(
    " ",
  );

/** All pages of a window, from the newest trade to the oldest. */
export async function listAll(source: SegmentSource, question: PageQuestion): Promise<Trade[][]> {
  const pages: Trade[][] = [];
  let from: PageQuestion["from"] = question.from;
  do {
    const page = await readPage(source, { ...question, from });
    pages.push(page.rows.map(tradeOf));
    from = page.next;
  } while (from !== undefined);
  return pages;
}

type PlanParts = Parameters<typeof planListTrades>[0];

/** Asks the endpoint, without its authentication. The answer is its status, its text, and the members of its body. */
export async function askTrades(
  parts: Pick<PlanParts, "segments"> & Partial<PlanParts> & Partial<Pick<Limiter, "charge">>,
  query: string,
  symbol = "BTC-USD",
) {
  const {
    clock = () => NOW,
    log = () => {},
    charge = (...asked: Parameters<Limiter["charge"]>) => freeLimiter.charge(...asked),
    markets = { get: async (given: string) => marketOf(given), similarTo: async () => undefined },
  } = parts;
  const handler = endpoint({
    contract: listTrades,
    switches: { get: async () => ({ on: true }) },
    authenticate: async () => ({ owner: "desk", scopes: ["trades.read"] }),
    plan: planListTrades({ venue: "VENU", ...parts, markets, clock, log }),
    limiter: { charge, headersOf: () => ({}) },
    clock,
    log,
  });
  const event = {
    rawPath: `/1.0/trades/all/${symbol}`,
    rawQueryString: query,
    headers: {},
    pathParameters: { symbol },
    requestContext: { stage: "$default", http: { method: "GET" } },
  };
  const { statusCode, body } = await handler(event, {} as Context);
  return { status: statusCode, text: body, ...JSON.parse(body) };
}
