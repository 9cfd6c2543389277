import { Agent } from "node:https";
import { DynamoDBClient, DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import { deadlineSignal } from "../deadline.ts";
import { Failure } from "../errors.ts";

const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 600;
const STORE_RETRY_AFTER_MS = 1_000;

/**
 * One connection is kept from request to request. While a function is frozen what it keeps may die, each repetition of a
 * call meets one more of the dead, and a charge is repeated once only. Those beyond it begin with a resumed TLS session.
 */
const keptConnections = { keepAlive: true, maxSockets: 50, maxFreeSockets: 1 };

/** One set of connections for both clients: a handshake costs more than a request. Plain HTTP is for local engines. */
const agents = { httpsAgent: new Agent(keptConnections), httpAgent: keptConnections };

/**
 * The client that every store reads through. Region, credentials and endpoint come from the environment, as Lambda
 * and the local gateway set them. A read that meets a dead connection, a stall or a throttle is repeated by the SDK, twice
 * at most: within two seconds where the store is silent (pauses add 150 ms), and three more of pauses where it throttles.
 */
export function createDynamoClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      ...agents,
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
      ...agents,
      connectionTimeout: LIMIT_TIMEOUT_MS,
      requestTimeout: LIMIT_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}

/** Names of the service's transient errors; any other of its errors is a fault of ours. */
const TRANSIENT_ERRORS: ReadonlySet<string> = new Set([
  "InternalServerError",
  "LimitExceededException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ServiceUnavailable",
  "ThrottlingException",
  "TransactionInProgressException",
]);

/** What a call is given up with, by its own time or by that of its request. */
const TRANSIENT_NAMES: ReadonlySet<string> = new Set(["AbortError", "TimeoutError"]);

/** Whether an error of a store call says nothing about the data: try again later, and never answer "not found". */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DynamoDBServiceException) {
    return TRANSIENT_ERRORS.has(error.name) || (error.$response?.statusCode ?? 0) >= 500;
  }
  // Without an answer of the service there was a socket, a name or a clock in the way.
  return TRANSIENT_NAMES.has(error.name) || "code" in error || "$metadata" in error;
}

/** What a request's store calls are sent with: they end when its time is over, and none begins after that. */
export function callOptions(): { readonly abortSignal?: AbortSignal } {
  const abortSignal = deadlineSignal();
  return { ...(abortSignal !== undefined && { abortSignal }) };
}

/**
 * Runs a store call, which hands the options on to the client. A transient error becomes `temporarily_unavailable` with
 * a wait; anything else (a missing table, a missing permission, a bad expression) is thrown on as the fault it is.
 */
export async function callStore<Result>(
  call: (options: ReturnType<typeof callOptions>) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(callOptions());
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw new Failure("temporarily_unavailable", "The store did not answer.", {
      retryAfterMs: STORE_RETRY_AFTER_MS,
      cause: error,
    });
  }
}
