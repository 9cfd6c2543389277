import type { ServiceCode } from "./contract.ts";

/**
 * The codes of failures that the service itself did not answer:
 *
 * - `no_route`: API Gateway knows no such path. `baseUrl` is probably wrong.
 * - `gateway_refused`: API Gateway refused the request (another 4xx).
 * - `gateway_throttled`: API Gateway's own limit (429).
 * - `gateway_failed`: the function behind API Gateway failed or was too slow (5xx).
 * - `network_error`: no connection, or one that broke.
 * - `timeout`: no whole answer within `timeoutMs`.
 * - `unexpected_answer`: an answer that is not the service's: not JSON, cut off, of another shape, or a redirect.
 * - `credentials_failed`: the function that was given for a credential failed, or its result cannot be sent.
 */
export type ClientCode =
  | "no_route"
  | "gateway_refused"
  | "gateway_throttled"
  | "gateway_failed"
  | "network_error"
  | "timeout"
  | "unexpected_answer"
  | "credentials_failed";

/** What is known of a failure. Members that are not known are absent. */
export interface FailureDetails {
  readonly code: ServiceCode | ClientCode;
  /** The HTTP status. */
  readonly status?: number | undefined;
  /** Names the failure in the service's log: quote it in a report. */
  readonly errorId?: string | undefined;
  /** Names the request, on both sides. */
  readonly requestId?: string | undefined;
  /** How long the service asks to wait, in milliseconds: at most as long as a timer takes, 24 days. */
  readonly retryAfterMs?: number | undefined;
  /** The server's clock when it answered, Unix epoch milliseconds. */
  readonly serverTime?: number | undefined;
  /** The URL that was requested. It carries no credential. */
  readonly url?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The only error of a request that failed. Branch on `code`; `message` is for people. Neither contains a credential. A
 * request that was aborted rejects with the reason of its signal instead, and wrong options are a `TypeError`.
 */
export class CountinghouseError extends Error {
  override readonly name = "CountinghouseError";
  readonly code: ServiceCode | ClientCode;
  readonly status: number | undefined;
  readonly errorId: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly serverTime: number | undefined;
  readonly url: string | undefined;

  constructor(message: string, details: FailureDetails) {
    super(message, { ...(details.cause !== undefined && { cause: details.cause }) });
    this.code = details.code;
    this.status = details.status;
    this.errorId = details.errorId;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
    this.serverTime = details.serverTime;
    this.url = details.url;
  }
}
