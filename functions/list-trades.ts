import { signedRequest } from "../lib/auth/signed-request.ts";
import { compose, prime } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { MarketStore } from "../lib/markets/market-store.ts";
import { createRateLimit } from "../lib/rate-limit/create-rate-limit.ts";
import { freshnessOf } from "../lib/signature/contract.ts";
import { answerTrades } from "../lib/trades/answers.ts";
import { listTrades } from "../lib/trades/contract.ts";
import { TradeStore } from "../lib/trades/trade-store.ts";

const { env, client, clock, credentials, shared } = compose(listTrades);
const brand = { headerPrefix: env.HEADER_PREFIX, basePath: env.BASE_PATH };
const markets = new MarketStore(client, env.SETTINGS_TABLE, clock);
const segments = new TradeStore(client, env.TRADES_TABLE);

export const handler = endpoint({
  ...shared,
  authenticate: signedRequest({ brand, freshness: freshnessOf(env), credentials, clock }),
  limiter: createRateLimit(listTrades.limit, env.RATE_LIMIT_TRADES, env.RATE_LIMITS_TABLE, clock),
  ...answerTrades({ markets, segments, venue: env.VENUE_CODE, clock }),
});

await prime(shared);
