import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod/mini";
import { CredentialStore } from "./auth/credential-store.ts";
import { systemClock } from "./clock.ts";
import { createDynamoClient } from "./dynamo/client.ts";
import { readEnv, type sharedTablesEnv } from "./env.ts";
import type { EndpointContract } from "./http/contract.ts";
import type { Switches } from "./http/kill-switch.ts";
import { writeLine } from "./log.ts";
import { createRateLimit } from "./rate-limit/create-rate-limit.ts";
import { bucketsIn, type rateLimitEnv } from "./rate-limit/settings.ts";
import { SwitchStore } from "./switches/switch-store.ts";

/** What every function learns from its environment: where credentials, switches and limits are kept, and its buckets. */
type CommonEnv = typeof sharedTablesEnv & ReturnType<typeof rateLimitEnv>;

type ComposableContract = EndpointContract & { readonly env: z.ZodMiniObject<CommonEnv> };

/**
 * The parts that all endpoints have in common, made for one: its environment, checked, one client of the store, the clock
 * and the log, where credentials and kill switches are read, and the limiter.
 *
 * @throws {Error} that names every variable that is missing or wrong.
 */
export function commonParts<Contract extends ComposableContract>(contract: Contract) {
  const env: z.infer<Contract["env"]> = readEnv<Contract["env"]>(contract.env);
  const common: z.infer<ComposableContract["env"]> = env;
  const { limit } = contract;
  const client = createDynamoClient();
  const clock = systemClock;
  return {
    env,
    client,
    clock,
    log: writeLine,
    credentials: new CredentialStore({ client, name: common.CREDENTIALS_TABLE }, clock),
    switches: new SwitchStore({ client, name: common.SETTINGS_TABLE }, clock),
    limiter: createRateLimit(limit, bucketsIn(common, limit), common.RATE_LIMITS_TABLE, clock),
  };
}

const OPENING_MS_MAX = 1_000;

/**
 * Opens a connection to the store while a function is loaded, by the read that each request begins with: Lambda gives that
 * phase more CPU than the function has later, and the first caller does not wait for it. A store that does not answer in
 * time is left to the first request.
 */
export async function openConnection({ name }: EndpointContract, switches: Switches): Promise<void> {
  const reading = switches.get(name).catch(() => undefined);
  await Promise.race([reading, pause(OPENING_MS_MAX, undefined, { ref: false })]);
}
