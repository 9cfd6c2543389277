import type { Clock } from "../clock.ts";
import type { Table } from "../dynamo/table.ts";
import type { Log } from "../log.ts";
import { KeptKeySetStore } from "./kept-key-set.ts";
import { IssuerKeySet } from "./key-set.ts";
import { refreshReport } from "./report-refresh.ts";
import type { TokenEnv } from "./settings.ts";

/** What a function has at hand to find its issuer's keys. */
export interface IssuerKeysParts {
  readonly env: TokenEnv & { readonly SETTINGS_TABLE: string };
  readonly client: Table["client"];
  readonly clock: Clock;
  readonly log: Log;
}

/** The keys of the issuer that a function's environment names. The set that is kept for all functions comes first. */
export const issuerKeysOf = ({ env, client, clock, log }: IssuerKeysParts): IssuerKeySet =>
  new IssuerKeySet({
    url: new URL(env.TOKEN_JWKS_URL),
    clock,
    kept: new KeptKeySetStore({ client, name: env.SETTINGS_TABLE }),
    reportFailure: refreshReport({ clock, log }),
  });
