/**
 * Every way in which a request can fail, as a closed union. Only `http/error-response.ts` decides the HTTP status of
 * each; `docs/errors.md` tells callers what to do about each.
 */
export type ErrorCode =
  | "validation_error"
  | "unsupported_version"
  | "invalid_cursor"
  | "unknown_symbol"
  | "invalid_credentials"
  | "insufficient_scope"
  | "not_found"
  | "timestamp_in_future"
  | "gone"
  | "rate_limited"
  | "internal_error"
  | "service_disabled"
  | "temporarily_unavailable";

export interface FailureOptions {
  /** Whole milliseconds to wait; sent with 429 and 503 in the unit of the endpoint's contract. */
  readonly retryAfterMs?: number;
  /** Response headers that belong to this failure alone, such as RateLimit. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The internal cause. It reaches the log, never the caller. */
  readonly cause?: unknown;
}

/**
 * An error of the project's own, whose message the log shows. The message therefore names what is wrong, such as a variable,
 * and quotes no value of the environment and nothing of a caller or of a record.
 */
export class LoggableError extends Error {}

/**
 * A failure that is answered to the caller. The `message` of a 4xx is sent as it is, so it names what was wrong and
 * carries nothing internal. A 5xx sends a generic text; its `message` and `cause` stay in the log.
 */
export class Failure extends LoggableError {
  override readonly name = "Failure";
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.headers = options.headers ?? {};
  }
}

/** How many ms a caller is asked to wait when nothing tells how long a fault will last. */
export const RETRY_AFTER_MS = 1_000;

/** The failure for a fault that may pass by itself, such as a dependency that does not answer. */
export const unavailable = (message: string, options: FailureOptions = {}): Failure =>
  new Failure("temporarily_unavailable", message, { retryAfterMs: RETRY_AFTER_MS, ...options });

/** Whether an error is a failure that may pass by itself. */
export const isUnavailable = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === "temporarily_unavailable";
