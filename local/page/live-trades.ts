import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import type { Clock } from "../../lib/clock.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { type ServedRoute, serveRoute } from "../control/control-route.ts";
import { type LiveMarket, liveMarkets, runLiveTrades } from "../demo/live-trades.ts";

const PER_SECOND_MAX = 100;
/** A page that is closed cannot stop its market, so the market stops by itself. */
const RUN_MS_MAX = 600_000;

export interface LiveTradesParts {
  /** The table `Trades`. */
  readonly table: Table;
  readonly clock: Clock;
}

const liveTradesRoute = {
  name: "trades-live",
  input: z.union([
    z.object({
      market: z.enum(liveMarkets as [LiveMarket, ...LiveMarket[]]),
      perSecond: z.int().check(z.gte(1), z.lte(PER_SECOND_MAX)),
    }),
    z.object({ stop: z.literal(true) }),
  ]),
  output: z.object({ market: z.nullable(z.string()) }),
};

/**
 * Lets a market of the demo go on, as `ops demo trades` does, or stops it. One market goes on at a time, for ten minutes
 * at most. A stop is answered once all trades until then are written.
 */
export function liveTradesAnswers({ table, clock }: LiveTradesParts): ServedRoute {
  const register = new TradeRegister(table);
  let stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return serveRoute(liveTradesRoute, async (wanted) => {
    stop.abort();
    await running;
    if (!("market" in wanted)) return { market: null };
    const { market, perSecond } = wanted;
    stop = new AbortController();
    running = runLiveTrades({
      market,
      perSecond,
      forMs: RUN_MS_MAX,
      write: (trades: readonly Trade[]) => putTrades(register, market, trades),
      onWritten: () => {},
      stop: stop.signal,
      clock,
      wait: waitUnheld,
      // The store is closed together with the service.
    }).catch(() => {});
    return { market };
  });
}

/** Waits without keeping the process alive, until the signal at the latest. */
const waitUnheld = (ms: number, signal: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => {});
