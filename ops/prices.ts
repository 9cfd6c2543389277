/**
 * Prices of AWS in US East (N. Virginia), in dollars, on demand and without free tiers, entered by hand on the date
 * below. Look them up again before you trust a sum: https://aws.amazon.com/api-gateway/pricing,
 * /dynamodb/pricing/on-demand, /lambda/pricing, /sqs/pricing, /ec2/pricing/on-demand (data transfer out), /cloudwatch/pricing.
 */
export const prices = {
  /** The month in which the prices were entered. */
  asOf: "2026-11",
  /** HTTP API, a million requests of up to 512 KB. */
  gatewayPerMillion: 1,
  /** On-demand table, a million units. */
  readUnitsPerMillion: 0.125,
  writeUnitsPerMillion: 0.625,
  /** Lambda on arm64: a million requests, and a GB for a second. */
  lambdaPerMillion: 0.2,
  lambdaPerGbSecond: 0.000_013_333_4,
  /** SQS, standard queue, a million requests of up to 64 KB; a request may send, receive or delete ten messages. */
  queuePerMillion: 0.4,
  /** Data transfer out to the internet, a GB. */
  egressPerGb: 0.09,
  /** CloudWatch's ingestion of log lines of the standard class, a GB; the first tier where a service's lines have tiers. */
  logsPerGb: 0.5,
} as const;
