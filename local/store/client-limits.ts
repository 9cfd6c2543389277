/**
 * How long an operator's client waits for a store: for a connection, for an answer to begin, and for more of it to come.
 * Without them a write that is taken and never answered would be waited for as long as the connection stays up.
 */
export const clientLimits = {
  connectionTimeout: 5_000,
  requestTimeout: 10_000,
  socketTimeout: 10_000,
  throwOnRequestTimeout: true,
} as const;
