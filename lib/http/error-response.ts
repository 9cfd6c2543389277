import type { ErrorCode, Failure } from "../errors.ts";
import type { EndpointContract } from "./contract.ts";

/** The HTTP status of each error code. No other place in the project decides one. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  validation_error: 400,
  unsupported_version: 400,
  invalid_cursor: 400,
  unknown_symbol: 400,
  invalid_credentials: 401,
  insufficient_scope: 403,
  not_found: 404,
  timestamp_in_future: 409,
  gone: 410,
  rate_limited: 429,
  internal_error: 500,
  service_disabled: 503,
  temporarily_unavailable: 503,
};

/** The statuses of answers without a failure. */
export const statusOfSuccess = { ok: 200, notModified: 304 } as const;

/** The messages that callers get for a 5xx, in place of internal ones. */
const genericMessages: Partial<Record<ErrorCode, string>> = {
  internal_error: "Something went wrong on our side. Quote the error_id when you report it.",
  service_disabled: "This endpoint is switched off at the moment. Try again later.",
  temporarily_unavailable: "This endpoint is not able to answer at the moment. Try again later.",
};

export interface ErrorResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface ErrorCircumstances {
  readonly errorId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether the request carried a token: the challenge of a missing one has no error code (RFC 6750 section 3.1). */
  readonly presentedToken: boolean;
}

/** A failure as the caller gets it: one body shape for every endpoint and every code. */
export function errorResponse(
  failure: Failure,
  contract: EndpointContract,
  circumstances: ErrorCircumstances,
): ErrorResponse {
  const statusCode = statusOf[failure.code];
  const retryAfterMs = failure.retryAfterMs;
  return {
    statusCode,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      ...failure.headers,
      ...challenge(failure.code, contract, circumstances.presentedToken),
      ...(retryAfterMs !== undefined && { "Retry-After": retryAfter(retryAfterMs, contract) }),
    },
    body: JSON.stringify({
      error_id: circumstances.errorId,
      code: failure.code,
      message: genericMessages[failure.code] ?? failure.message,
      timestamp: circumstances.now,
      ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    }),
  };
}

/** `Retry-After` in the contract's unit: milliseconds on the exchange, whole seconds (RFC 9110 10.2.3) elsewhere. */
function retryAfter(waitMs: number, contract: EndpointContract): string {
  if (contract.retryAfterUnit === "milliseconds") return String(Math.max(1, Math.ceil(waitMs)));
  return String(Math.max(1, Math.ceil(waitMs / 1000)));
}

/** The challenge of a 401 (RFC 9110 11.6.1), and of a 403 where the credential is a token (RFC 6750 section 3). */
function challenge(
  code: ErrorCode,
  { scheme, scope }: EndpointContract,
  presentedToken: boolean,
): Record<string, string> {
  const realm = `${scheme} realm="countinghouse"`;
  if (code === "invalid_credentials") {
    const reason = scheme === "Bearer" && presentedToken ? ', error="invalid_token"' : "";
    return { "WWW-Authenticate": `${realm}${reason}` };
  }
  if (code === "insufficient_scope" && scheme === "Bearer") {
    return { "WWW-Authenticate": `${realm}, error="insufficient_scope", scope="${scope ?? ""}"` };
  }
  return {};
}
