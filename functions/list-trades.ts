import { CredentialStore } from "../lib/auth/credential-store.ts";
import { signedRequest } from "../lib/auth/signed-request.ts";
import { brandOf } from "../lib/brand.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { createDynamoClient } from "../lib/dynamo/client.ts";
import { readEnv } from "../lib/env.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { standardOutputLog as log } from "../lib/log.ts";
import { MarketStore } from "../lib/markets/market-store.ts";
import { createRateLimit } from "../lib/rate-limit/create-rate-limit.ts";
import { freshnessOf } from "../lib/signature/freshness.ts";
import { SwitchStore } from "../lib/switches/switch-store.ts";
import { answerTrades } from "../lib/trades/answers.ts";
import { listTrades as contract } from "../lib/trades/contract.ts";
import { TradeStore } from "../lib/trades/trade-store.ts";

const env = readEnv(contract.env);
const brand = brandOf(env);
const client = createDynamoClient();
const buckets = env.RATE_LIMIT_TRADES;
const credentials = new CredentialStore(client, env.CREDENTIALS_TABLE, clock);
const markets = new MarketStore(client, env.SETTINGS_TABLE, clock);
const segments = new TradeStore(client, env.TRADES_TABLE);

export const handler = endpoint({
  contract,
  switches: new SwitchStore(client, env.SETTINGS_TABLE, clock),
  authenticate: signedRequest({ brand, freshness: freshnessOf(env), credentials, clock }),
  limiter: createRateLimit(contract.limit, buckets, env.RATE_LIMITS_TABLE, clock),
  ...answerTrades({ markets, segments, venue: brand.venue, clock }),
  clock,
  log,
});
