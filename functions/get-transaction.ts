import { trustIssuer } from "../lib/auth/trust-issuer.ts";
import { compose, prime } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { createRateLimit } from "../lib/rate-limit/create-rate-limit.ts";
import { answerTransaction } from "../lib/transactions/answers.ts";
import { getTransaction } from "../lib/transactions/contract.ts";
import { TransactionStore } from "../lib/transactions/transaction-store.ts";

const { env, client, clock, credentials, shared } = compose(getTransaction);

export const handler = endpoint({
  ...shared,
  authenticate: trustIssuer(env, credentials, clock),
  limiter: createRateLimit(getTransaction.limit, env.RATE_LIMIT_BUSINESS, env.RATE_LIMITS_TABLE, clock),
  answer: answerTransaction(new TransactionStore(client, env.TRANSACTIONS_TABLE), {
    basePath: env.BASE_PATH,
    deprecatedAt: env.ID_TYPE_DEPRECATED_AT,
    sunsetAt: env.ID_TYPE_SUNSET_AT,
  }),
});

await prime(shared);
