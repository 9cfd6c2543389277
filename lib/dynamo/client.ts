import { Agent } from "node:https";
import { DynamoDBClient, DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import { Failure } from "../errors.ts";

const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 2_000;
const STORE_RETRY_AFTER_MS = 1_000;

const SOCKETS_MAX = 50;

/** One set of connections for both clients: a handshake costs more than a request. */
const httpsAgent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });

/**
 * The client that every store reads through. Region, credentials and endpoint come from the environment, as Lambda
 * and the local gateway set them. A read that meets a dead connection or a throttle is repeated by the SDK, twice at
 * most, and every wait is bounded so that a stalled store ends in an answer.
 */
export function createDynamoClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      httpsAgent,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}

const LIMIT_TIMEOUT_MS = 250;

/**
 * The client that limits are charged through. A charge is no read: repeating one that may have taken effect charges
 * twice, and a caller should not wait long for a limit; so the SDK repeats nothing and gives up soon.
 */
export function createLimitClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: {
      httpsAgent,
      connectionTimeout: LIMIT_TIMEOUT_MS,
      requestTimeout: LIMIT_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}

/** Names of the service's errors that pass by themselves; any other of its errors is a fault of ours. */
const PASSING_ERRORS: ReadonlySet<string> = new Set([
  "InternalServerError",
  "LimitExceededException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ServiceUnavailable",
  "ThrottlingException",
  "TransactionInProgressException",
]);

/** Whether an error of a store call says nothing about the data: try again later, and never answer "not found". */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DynamoDBServiceException) {
    return PASSING_ERRORS.has(error.name) || (error.$response?.statusCode ?? 0) >= 500;
  }
  // Without an answer of the service there was a socket, a name or a clock in the way.
  return error.name === "TimeoutError" || "code" in error || "$metadata" in error;
}

/**
 * Runs a store call. What passes by itself becomes `temporarily_unavailable` with a wait; anything else (a missing
 * table, a missing permission, a bad expression) is thrown on as the fault it is.
 */
export async function callStore<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!isPassing(error)) throw error;
    throw new Failure("temporarily_unavailable", "The store did not answer.", {
      retryAfterMs: STORE_RETRY_AFTER_MS,
      cause: error,
    });
  }
}
