import { systemClock } from "../lib/clock.ts";
import { createDynamoClient } from "../lib/dynamo/client.ts";
import { readEnv } from "../lib/env.ts";
import { reportExpiry } from "../lib/upkeep/report-expiry.ts";
import { upkeepEnv } from "../lib/upkeep/settings.ts";

export const handler = reportExpiry({
  env: readEnv(upkeepEnv),
  client: createDynamoClient(),
  clock: systemClock,
});
