/** The endpoints, in the order of the documents. */
export const endpointNames = [
  "get-transaction",
  "list-transactions",
  "get-sell-order",
  "get-pass",
  "list-trades",
] as const;
export type EndpointName = (typeof endpointNames)[number];
