import { readEnv } from "../../lib/env.ts";
import type { PassSettings } from "../../lib/passes/authenticate-wallet.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { localAudiences } from "../../local/identity/local-identity.ts";
import { oneOffTokenEnv } from "./token-issuer.ts";

/** The settings of a pass endpoint without tables, whose tokens come from a one-off issuer. */
export const oneOffPassSettings = (versionHeader: string): PassSettings =>
  readEnv(getPass.env, {
    ...oneOffTokenEnv(localAudiences.passes),
    VERSION_HEADER: versionHeader,
    STAGE_NAME: "none",
    CREDENTIALS_TABLE: "none",
    SETTINGS_TABLE: "none",
    PASSES_TABLE: "none",
    RATE_LIMITS_TABLE: "none",
    RATE_LIMIT_PASSES: JSON.stringify(getPass.limit.defaultBuckets),
  });
