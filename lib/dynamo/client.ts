import { Agent } from "node:https";
import { DynamoDBClient, DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import type { MetadataBearer } from "@smithy/types";
import { deadlineSignal } from "../deadline.ts";
import { unavailable } from "../errors.ts";
import { WholeAnswers } from "./whole-answers.ts";

const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 600;

/**
 * One connection is kept between requests. Kept connections may die while a function is frozen, each repetition of a
 * call meets one more dead one, and a charge is repeated only once. Further ones begin with a resumed TLS session.
 */
const keptConnections = { keepAlive: true, maxSockets: 50, maxFreeSockets: 1 };

/**
 * Both clients share one set of connections: a handshake costs more than a request. Plain HTTP is for local engines.
 */
const agents = { httpsAgent: new Agent(keptConnections), httpAgent: keptConnections };

/**
 * The client that every store reads through. Region, credentials and endpoint come from the environment, as Lambda and
 * the local gateway set them. The SDK repeats a read after a dead connection, a stall or a throttle, twice at most:
 * within two seconds when the store is silent (pauses add 150 ms), and with three more seconds of pauses when it
 * throttles. `requestTimeout` bounds the wait for an answer's beginning, and `socketTimeout` each wait for more of it.
 */
export function createDynamoClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: new WholeAnswers({
      ...agents,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      socketTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    }),
  });
}

const LIMIT_TIMEOUT_MS = 250;

/**
 * The client that limits are charged through. The SDK repeats nothing and gives up soon: repeating a charge that may
 * have taken effect charges twice, and a caller should not wait long for a limit.
 */
export function createLimitClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: new WholeAnswers({
      ...agents,
      connectionTimeout: LIMIT_TIMEOUT_MS,
      requestTimeout: LIMIT_TIMEOUT_MS,
      socketTimeout: LIMIT_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    }),
  });
}

/** Names of DynamoDB's transient errors; any other error of DynamoDB is a fault of ours. */
const TRANSIENT_ERRORS: ReadonlySet<string> = new Set([
  "InternalServerError",
  "LimitExceededException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ServiceUnavailable",
  "ThrottlingException",
  "TransactionInProgressException",
]);

/** Names of the errors of a call that was given up, when its own time or that of its request was over. */
const TRANSIENT_NAMES: ReadonlySet<string> = new Set(["AbortError", "TimeoutError"]);

/** Whether an error of a store call says nothing about the data. It means "try again later", never "not found". */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DynamoDBServiceException) {
    return TRANSIENT_ERRORS.has(error.name) || (error.$response?.statusCode ?? 0) >= 500;
  }
  // No answer came from DynamoDB: the connection or the name resolution failed, the time was over, or others answered.
  return TRANSIENT_NAMES.has(error.name) || "code" in error || isOfAnswer(error);
}

/** Whether an answer came that is none of DynamoDB's. The SDK gives an account to every error, but a status to these alone. */
const isOfAnswer = ({ $metadata }: Error & Partial<MetadataBearer>): boolean =>
  $metadata?.httpStatusCode !== undefined;

/** The options of a request's store calls, which end when the request's time is over; none begins after that. */
export function callOptions(): { readonly abortSignal?: AbortSignal } {
  const abortSignal = deadlineSignal();
  return { ...(abortSignal !== undefined && { abortSignal }) };
}

/**
 * Runs a store call, which passes the options on to the client. A transient error becomes `temporarily_unavailable`
 * with a wait. Any other error (a missing table, a missing permission, a bad expression) is thrown on as a fault.
 */
export async function callStore<Result>(
  call: (options: ReturnType<typeof callOptions>) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(callOptions());
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw unavailable("The store did not answer.", { cause: error });
  }
}
