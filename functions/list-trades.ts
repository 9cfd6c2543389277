import { signedRequest } from "../lib/auth/signed-request.ts";
import { commonParts, openConnection } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { MarketStore } from "../lib/markets/market-store.ts";
import { freshnessOf } from "../lib/signature/settings.ts";
import { listTrades } from "../lib/trades/contract.ts";
import { planListTrades } from "../lib/trades/list-trades.ts";
import { TradeStore } from "../lib/trades/trade-store.ts";

const { env, client, clock, log, credentials, switches, limiter } = commonParts(listTrades);
const brand = { headerPrefix: env.HEADER_PREFIX, basePath: env.BASE_PATH };
const markets = new MarketStore({ client, name: env.SETTINGS_TABLE }, clock);
const segments = new TradeStore({ client, name: env.TRADES_TABLE });

export const handler = endpoint({
  contract: listTrades,
  switches,
  authenticate: signedRequest({ brand, freshness: freshnessOf(env), credentials, clock }),
  plan: planListTrades({ markets, segments, venue: env.VENUE_CODE, clock, log }),
  limiter,
  clock,
  log,
});

await openConnection(listTrades, switches);
