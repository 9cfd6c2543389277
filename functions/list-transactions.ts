import { issuerKeysOf } from "../lib/auth/issuer-keys.ts";
import { trustIssuer } from "../lib/auth/trust-issuer.ts";
import { commonParts, openConnection } from "../lib/compose.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import { listTransactions } from "../lib/transactions/contract.ts";
import { planListTransactions } from "../lib/transactions/list-transactions.ts";
import { TransactionListStore } from "../lib/transactions/transaction-list-store.ts";

const { env, client, clock, log, credentials, switches, limiter } = commonParts(listTransactions);
const keys = issuerKeysOf({ env, client, clock, log });
const transactions = new TransactionListStore({ client, name: env.TRANSACTIONS_TABLE });

export const handler = endpoint({
  contract: listTransactions,
  switches,
  authenticate: trustIssuer(env, keys, credentials, clock),
  plan: planListTransactions(transactions, clock),
  limiter,
  clock,
  log,
});

await openConnection(listTransactions, switches, keys);
