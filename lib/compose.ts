import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod/mini";
import { CredentialStore } from "./auth/credential-store.ts";
import { systemClock } from "./clock.ts";
import { createDynamoClient } from "./dynamo/client.ts";
import { readEnv, type sharedTablesEnv } from "./env.ts";
import type { EndpointContract } from "./http/contract.ts";
import { writeLine } from "./log.ts";
import { SwitchStore } from "./switches/switch-store.ts";

/** A contract whose function learns where credentials and switches are kept, as every function does. */
type Composable = EndpointContract & { readonly env: z.ZodMiniObject<typeof sharedTablesEnv> };

/** What every function is made of: its environment, one client, its credentials, and the parts that all endpoints share. */
export function compose<Contract extends Composable>(contract: Contract) {
  const env: z.infer<Contract["env"]> = readEnv<Contract["env"]>(contract.env);
  const { CREDENTIALS_TABLE, SETTINGS_TABLE }: z.infer<Composable["env"]> = env;
  const client = createDynamoClient();
  const clock = systemClock;
  return {
    env,
    client,
    clock,
    credentials: new CredentialStore(client, CREDENTIALS_TABLE, clock),
    shared: {
      contract,
      clock,
      log: writeLine,
      switches: new SwitchStore(client, SETTINGS_TABLE, clock),
    },
  };
}

const PRIMING_MS_MAX = 1_000;

/**
 * Opens a connection to the store while a function is loaded, by the read that each request begins with: Lambda gives that
 * phase more CPU than the function has later, and the first caller does not wait for it. A store that does not answer in
 * time is left to the first request.
 */
export async function prime({
  contract,
  switches,
}: {
  readonly contract: EndpointContract;
  readonly switches: Pick<SwitchStore, "read">;
}): Promise<void> {
  const reading = switches.read(contract.name).catch(() => undefined);
  await Promise.race([reading, pause(PRIMING_MS_MAX, undefined, { ref: false })]);
}
