import type { EndpointReference } from "./endpoint-reference.ts";
import { getPassReference } from "./get-pass.ts";
import { getSellOrderReference } from "./get-sell-order.ts";
import { getTransactionReference } from "./get-transaction.ts";
import { listTradesReference } from "./list-trades.ts";
import { listTransactionsReference } from "./list-transactions.ts";

/** Every endpoint, in the order in which the reference and the demo show them. */
export const endpointReferences: readonly EndpointReference[] = [
  getTransactionReference,
  listTransactionsReference,
  getPassReference,
  listTradesReference,
  getSellOrderReference,
];
