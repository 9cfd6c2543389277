import { CredentialStore } from "../lib/auth/credential-store.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { createDynamoClient } from "../lib/dynamo/client.ts";
import { readEnv } from "../lib/env.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { standardOutputLog as log } from "../lib/log.ts";
import { answerPass, checkPassVersion } from "../lib/passes/answers.ts";
import { authenticateWallet } from "../lib/passes/authenticate-wallet.ts";
import { getPass as contract } from "../lib/passes/contract.ts";
import { PassStore } from "../lib/passes/pass-store.ts";
import { SwitchStore } from "../lib/switches/switch-store.ts";

const env = readEnv(contract.env);
const client = createDynamoClient();

export const handler = endpoint({
  contract,
  switches: new SwitchStore(client, env.SETTINGS_TABLE, clock),
  authenticate: authenticateWallet(env, new CredentialStore(client, env.CREDENTIALS_TABLE, clock), clock),
  check: checkPassVersion(env.VERSION_HEADER),
  answer: answerPass(new PassStore(client, env.PASSES_TABLE), env.VERSION_HEADER),
  clock,
  log,
});
