/** How a quota of AWS grows: when one asks for it, by itself with the traffic, or never. */
type Growth = "on request" | "with traffic" | "never";

/** A quota of AWS in one region, as it is documented. */
export interface Quota {
  readonly value: number;
  /** The unit of `value`. */
  readonly unit: string;
  readonly grows: Growth;
  readonly source: string;
}

const DYNAMODB = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide";
const LAMBDA = "https://docs.aws.amazon.com/lambda/latest/dg";
const GATEWAY = "https://docs.aws.amazon.com/apigateway/latest/developerguide";

/** The quotas that a request of this service can meet, with the values of an account in use. */
export const quotas = {
  gatewayRequests: {
    value: 10_000,
    unit: "requests a second at the gateway of an account (2,500 in the newer regions)",
    grows: "on request",
    source: `${GATEWAY}/limits.html`,
  },
  gatewayBurst: {
    value: 5_000,
    unit: "requests at once at the gateway",
    grows: "never",
    source: `${GATEWAY}/api-gateway-request-throttling.html`,
  },
  gatewayPayload: {
    value: 10 * 1024 ** 2,
    unit: "bytes of an answer of the gateway",
    grows: "never",
    source: `${GATEWAY}/http-api-quotas.html`,
  },
  lambdaConcurrency: {
    value: 1_000,
    unit: "environments at work of an account (fewer in a new account)",
    grows: "on request",
    source: `${LAMBDA}/lambda-concurrency.html`,
  },
  lambdaRequestsPerEnvironment: {
    value: 10,
    unit: "requests a second for each environment of the account's quota",
    grows: "never",
    source: `${LAMBDA}/lambda-concurrency.html`,
  },
  lambdaScaling: {
    value: 1_000,
    unit: "new environments in 10 seconds of a function, refilled all the time",
    grows: "never",
    source: `${LAMBDA}/scaling-behavior.html`,
  },
  lambdaPayload: {
    value: 6 * 1024 ** 2,
    unit: "bytes of an answer of a function",
    grows: "never",
    source: `${LAMBDA}/gettingstarted-limits.html`,
  },
  partitionReads: {
    value: 3_000,
    unit: "read units a second of a partition",
    grows: "never",
    source: `${DYNAMODB}/bp-partition-key-design.html`,
  },
  partitionWrites: {
    value: 1_000,
    unit: "write units a second of a partition",
    grows: "never",
    source: `${DYNAMODB}/bp-partition-key-design.html`,
  },
  newTableReads: {
    value: 12_000,
    unit: "read units a second of a new table or index; twice the peak of any 30 minutes before",
    grows: "with traffic",
    source: `${DYNAMODB}/on-demand-capacity-mode.html`,
  },
  newTableWrites: {
    value: 4_000,
    unit: "write units a second of a new table; twice the peak of any 30 minutes before",
    grows: "with traffic",
    source: `${DYNAMODB}/on-demand-capacity-mode.html`,
  },
  tableReads: {
    value: 40_000,
    unit: "read units a second of a table",
    grows: "on request",
    source: `${DYNAMODB}/ServiceQuotas.html`,
  },
  tableWrites: {
    value: 40_000,
    unit: "write units a second of a table",
    grows: "on request",
    source: `${DYNAMODB}/ServiceQuotas.html`,
  },
  queryBytes: {
    value: 1024 ** 2,
    unit: "bytes that one query reads",
    grows: "never",
    source: `${DYNAMODB}/Query.Pagination.html`,
  },
} as const satisfies Record<string, Quota>;

/** What an account has been granted, in place of the documented quotas. */
export interface Account {
  /** Environments of Lambda at work at once. */
  readonly concurrency: number;
  /** Requests a second of the gateway. */
  readonly requestsPerSecond: number;
}

/** The documented quotas of an account in use. */
export const usualAccount: Account = {
  concurrency: quotas.lambdaConcurrency.value,
  requestsPerSecond: quotas.gatewayRequests.value,
};
