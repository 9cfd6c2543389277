import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod/mini";
import { CredentialStore } from "./auth/credential-store.ts";
import type { IssuerKeySet } from "./auth/key-set.ts";
import { systemClock } from "./clock.ts";
import { createDynamoClient } from "./dynamo/client.ts";
import { readEnv, type sharedEnv } from "./env.ts";
import type { EndpointContract } from "./http/contract.ts";
import type { Switches } from "./http/kill-switch.ts";
import { logOf } from "./log.ts";
import { createRateLimit } from "./rate-limit/create-rate-limit.ts";
import { bucketsIn, type rateLimitEnv } from "./rate-limit/settings.ts";
import { SwitchStore } from "./switches/switch-store.ts";

/** The environment of every function: its stage, the tables of credentials, switches and limits, its limit's buckets. */
type CommonEnv = typeof sharedEnv & ReturnType<typeof rateLimitEnv>;

type ComposableContract = EndpointContract & { readonly env: z.ZodMiniObject<CommonEnv> };

/**
 * Makes the parts that every endpoint needs, for one endpoint: its checked environment, one client of the store, the
 * clock, the log, the stores of credentials and kill switches, and the limiter.
 *
 * @throws {Error} that names every missing or malformed variable.
 */
export function commonParts<Contract extends ComposableContract>(contract: Contract) {
  const env: z.infer<Contract["env"]> = readEnv<Contract["env"]>(contract.env);
  const common: z.infer<ComposableContract["env"]> = env;
  const { limit } = contract;
  const client = createDynamoClient();
  const clock = systemClock;
  const log = logOf({ stage: common.STAGE_NAME, endpoint: contract.name });
  const tableName = common.RATE_LIMITS_TABLE;
  return {
    env,
    client,
    clock,
    log,
    credentials: new CredentialStore({ client, name: common.CREDENTIALS_TABLE }, clock),
    switches: new SwitchStore({ client, name: common.SETTINGS_TABLE }, clock),
    limiter: createRateLimit(limit, bucketsIn(common, limit), { tableName, clock, log }),
  };
}

const OPENING_MS_MAX = 1_000;

/**
 * Opens a connection to the store while a function loads, by the read that each request begins with. Over the same
 * connection, an endpoint with tokens then reads the kept keys of its issuer. Lambda gives that phase more CPU than the
 * function has later, and the first caller does not wait for the connection. When the store does not answer within a
 * second, the first request connects.
 */
export async function openConnection(
  { name }: EndpointContract,
  switches: Switches,
  keys?: Pick<IssuerKeySet, "prime">,
): Promise<void> {
  const reading = switches
    .get(name)
    .then(() => keys?.prime())
    .catch(() => undefined);
  await Promise.race([reading, pause(OPENING_MS_MAX, undefined, { ref: false })]);
}
