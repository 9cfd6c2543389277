/** The names of the default stack's tables. */
export const PEER_TABLES = {
  keys: "peer-keys",
  limits: "peer-limits",
  transactions: "peer-transactions",
  sellOrders: "peer-sell-orders",
  trades: "peer-trades",
  passes: "peer-passes",
} as const;
