import type * as z from "zod/mini";
import { KeptKeySetRegister } from "../auth/kept-key-set-register.ts";
import { refreshReport } from "../auth/report-refresh.ts";
import type { Clock } from "../clock.ts";
import type { Table } from "../dynamo/table.ts";
import { logOf } from "../log.ts";
import { SwitchStore } from "../switches/switch-store.ts";
import { expiringAuthorities } from "./expiring-authorities.ts";
import { expiringCredentials } from "./expiring-credentials.ts";
import { keepKeySets } from "./keep-key-sets.ts";
import { ObjectStore } from "./object-store.ts";
import { reportDays } from "./report-days.ts";
import { reportSwitches } from "./report-switches.ts";
import { scheduled } from "./scheduled.ts";
import { UPKEEP_NAME, type upkeepEnv } from "./settings.ts";

export interface UpkeepParts {
  readonly env: z.infer<typeof upkeepEnv>;
  readonly client: Table["client"];
  readonly clock: Clock;
}

/**
 * Builds the function that schedules call. Its job `watch` keeps the issuers' key sets and tells which endpoints are
 * switched off; `expiry` tells how many days remain to the credentials, client certificates and authorities that end.
 */
export function reportExpiry({ env, client, clock }: UpkeepParts): ReturnType<typeof scheduled> {
  const told = { clock, log: logOf({ stage: env.STAGE_NAME, endpoint: UPKEEP_NAME }) };
  const settings = { client, name: env.SETTINGS_TABLE };
  const credentials = { client, name: env.CREDENTIALS_TABLE };
  const register = new KeptKeySetRegister(settings);
  const { TOKEN_JWKS_URLS: urls, ENDPOINT_NAMES: endpoints, TRUSTSTORE_URL: truststore } = env;
  const watchKeys = () => keepKeySets({ urls, register, clock, reportFailure: refreshReport(told) });
  const watchSwitches = () =>
    reportSwitches({ endpoints, switches: new SwitchStore(settings, clock), ...told });
  const expireCredentials = async () => reportDays(await expiringCredentials(credentials, clock()), told);
  const expireAuthorities = async (address: string) =>
    reportDays(expiringAuthorities(await new ObjectStore(client.config).read(new URL(address))), told);
  const expiry = truststore === undefined ? [] : [() => expireAuthorities(truststore)];
  return scheduled({
    jobs: { watch: [watchKeys, watchSwitches], expiry: [expireCredentials, ...expiry] },
    ...told,
  });
}
