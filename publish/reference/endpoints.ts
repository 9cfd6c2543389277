import type { EndpointReference } from "./endpoint-reference.ts";
import { getPassReference } from "./endpoints/get-pass.ts";
import { getSellOrderReference } from "./endpoints/get-sell-order.ts";
import { getTransactionReference } from "./endpoints/get-transaction.ts";
import { listTradesReference } from "./endpoints/list-trades.ts";
import { listTransactionsReference } from "./endpoints/list-transactions.ts";

/** The reference of every endpoint, in the order in which it is read. */
export const endpointReferences: readonly EndpointReference[] = [
  getTransactionReference,
  listTransactionsReference,
  getPassReference,
  listTradesReference,
  getSellOrderReference,
];
