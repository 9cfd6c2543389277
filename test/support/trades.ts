import { createHash } from "node:crypto";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import type { Place, Trade } from "../../lib/trades/trade.ts";
import { type PageQuestion, readPage, type SegmentSource } from "../../lib/trades/trade-reader.ts";

/** An arbitrary instant: 2026-11-24T21:00:00Z. */
export const NOW = 1_795_554_000_000;

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

/** The id of the n-th trade: looks random and is always the same. */
export const idOf = (n: number): string =>
  createHash("sha256").update(`trade ${n}`).digest("hex").slice(0, 32);

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

/** Numbers from 0 to 1 that look random; equal for equal seeds. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Trades of a busy market as they come in: at random moments, so many a second on average, the newest at `endMs`. */
export function busyTrades(count: number, perSecond: number, endMs: number, seed = 1): Trade[] {
  const random = randomOf(seed);
  const trades: Trade[] = [];
  let tradedAt = endMs;
  let cents = 6_500_000;
  for (let n = 0; n < count; n += 1) {
    cents += Math.round((random() - 0.5) * 60);
    const quantity = (random() < 0.3 ? Math.ceil(random() * 100) / 100 : random() / 2).toFixed(8);
    const price = (cents / 100).toFixed(2);
    trades.push(
      trade(n + seed * 1e7, Math.floor(tradedAt), { price, quantity, side: random() < 0.5 ? "buy" : "sell" }),
    );
    tradedAt -= (-Math.log(1 - random()) * 1000) / perSecond;
  }
  return trades.toReversed();
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
