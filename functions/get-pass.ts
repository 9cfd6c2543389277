import { CredentialGroupStore } from "../lib/auth/credential-group-store.ts";
import { issuerKeysOf } from "../lib/auth/issuer-keys.ts";
import { commonParts, openConnection } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { authenticateWallet } from "../lib/passes/authenticate-wallet.ts";
import { getPass } from "../lib/passes/contract.ts";
import { planGetPass } from "../lib/passes/get-pass.ts";
import { PassStore } from "../lib/passes/pass-store.ts";

const { env, client, clock, log, credentials, switches, limiter } = commonParts(getPass);
const keys = issuerKeysOf({ env, client, clock, log });
const registrations = new CredentialGroupStore({ client, name: env.CREDENTIALS_TABLE }, clock);
const passes = new PassStore({ client, name: env.PASSES_TABLE });

export const handler = endpoint({
  contract: getPass,
  switches,
  authenticate: authenticateWallet(env, { credentials, registrations }, keys, clock),
  plan: planGetPass(passes, env.VERSION_HEADER),
  limiter,
  clock,
  log,
});

await openConnection(getPass, switches, keys);
