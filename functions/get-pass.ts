import { compose } from "../lib/http/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { answerPass, checkPassVersion } from "../lib/passes/answers.ts";
import { authenticateWallet } from "../lib/passes/authenticate-wallet.ts";
import { getPass } from "../lib/passes/contract.ts";
import { PassStore } from "../lib/passes/pass-store.ts";

const { env, client, clock, credentials, shared } = compose(getPass);

export const handler = endpoint({
  ...shared,
  authenticate: authenticateWallet(env, credentials, clock),
  check: checkPassVersion(env.VERSION_HEADER),
  answer: answerPass(new PassStore(client, env.PASSES_TABLE), env.VERSION_HEADER),
});
