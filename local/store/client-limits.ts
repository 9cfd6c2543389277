/**
 * How long an operator's client waits for a store, in milliseconds: to connect, for an answer to begin, and between its
 * parts. Without these limits, a client waits for an answer that never comes as long as the connection stays up.
 */
export const clientLimits = {
  connectionTimeout: 5_000,
  requestTimeout: 10_000,
  socketTimeout: 10_000,
  throwOnRequestTimeout: true,
} as const;
