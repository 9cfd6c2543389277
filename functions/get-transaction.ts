import { issuerKeysOf } from "../lib/auth/issuer-keys.ts";
import { trustIssuer } from "../lib/auth/trust-issuer.ts";
import { commonParts, openConnection } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { getTransaction } from "../lib/transactions/contract.ts";
import { getTransactionAsRead, planGetTransaction } from "../lib/transactions/get-transaction.ts";
import { TransactionStore } from "../lib/transactions/transaction-store.ts";

const { env, client, clock, log, credentials, switches, limiter } = commonParts(getTransaction);
const keys = issuerKeysOf({ env, client, clock, log });
const { BASE_PATH: basePath, ID_TYPE_DEPRECATED_AT: deprecatedAt, ID_TYPE_SUNSET_AT: sunsetAt } = env;
const transactions = new TransactionStore({ client, name: env.TRANSACTIONS_TABLE });

export const handler = endpoint({
  contract: getTransactionAsRead,
  switches,
  authenticate: trustIssuer(env, keys, credentials, clock),
  plan: planGetTransaction(transactions, { basePath, deprecatedAt, sunsetAt }, clock),
  limiter,
  clock,
  log,
});

await openConnection(getTransaction, switches, keys);
