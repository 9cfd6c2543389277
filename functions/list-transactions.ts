import { trustIssuer } from "../lib/auth/trust-issuer.ts";
import { compose, prime } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { createRateLimit } from "../lib/rate-limit/create-rate-limit.ts";
import { answerTransactions } from "../lib/transactions/answers.ts";
import { listTransactions } from "../lib/transactions/contract.ts";
import { TransactionStore } from "../lib/transactions/transaction-store.ts";

const { env, client, clock, credentials, shared } = compose(listTransactions);

export const handler = endpoint({
  ...shared,
  authenticate: trustIssuer(env, credentials, clock),
  limiter: createRateLimit(listTransactions.limit, env.RATE_LIMIT_BUSINESS, env.RATE_LIMITS_TABLE, clock),
  ...answerTransactions(new TransactionStore(client, env.TRANSACTIONS_TABLE), clock),
});

await prime(shared);
