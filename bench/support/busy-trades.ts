import { createHash } from "node:crypto";
import type { Trade } from "../../lib/trades/trade.ts";
import { randomOf } from "./random-of.ts";

/** The id of the n-th trade: looks random and is always the same. */
export const idOf = (n: number): string =>
  createHash("sha256").update(`trade ${n}`).digest("hex").slice(0, 32);

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
    const atMs = Math.floor(tradedAt);
    const side = random() < 0.5 ? "buy" : "sell";
    trades.push({ tradedAt: atMs, publishedAt: atMs, price, quantity, id: idOf(n + seed * 1e7), side });
    tradedAt -= (-Math.log(1 - random()) * 1000) / perSecond;
  }
  return trades.toReversed();
}
