import { CredentialGroupStore } from "../lib/auth/credential-group-store.ts";
import { compose, prime } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { answerPass, checkPassVersion } from "../lib/passes/answers.ts";
import { authenticateWallet } from "../lib/passes/authenticate-wallet.ts";
import { getPass } from "../lib/passes/contract.ts";
import { PassStore } from "../lib/passes/pass-store.ts";
import { createRateLimit } from "../lib/rate-limit/create-rate-limit.ts";

const { env, client, clock, credentials, shared } = compose(getPass);

const registrations = new CredentialGroupStore(client, env.CREDENTIALS_TABLE, clock);

export const handler = endpoint({
  ...shared,
  authenticate: authenticateWallet(env, { credentials, registrations }, clock),
  precheck: checkPassVersion(env.VERSION_HEADER),
  limiter: createRateLimit(getPass.limit, env.RATE_LIMIT_PASSES, env.RATE_LIMITS_TABLE, clock),
  answer: answerPass(new PassStore(client, env.PASSES_TABLE), env.VERSION_HEADER),
});

await prime(shared);
