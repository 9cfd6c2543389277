/**
 * Every way in which a request can fail, as a closed union. Which HTTP status each one has is decided in one
 * place only, `http/error-response.ts`; `docs/errors.md` tells callers what to do about each.
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
  /** Whole milliseconds to wait; answered on 429 and 503 in the unit of the endpoint's contract. */
  readonly retryAfterMs?: number;
  /** Response headers that belong to this failure alone, such as RateLimit. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What happened inside. It reaches the log, never the caller. */
  readonly cause?: unknown;
}

/**
 * A failure that the caller is told about. `message` is sent as it is for a 4xx, so it names what was wrong and
 * carries nothing internal; for a 5xx a generic text is sent and `message` and `cause` stay in the log.
 */
export class Failure extends Error {
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
