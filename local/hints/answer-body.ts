import type { GatewayResponse } from "../gateway/response.ts";

/** The members of an error body of a function (decision 1) that helpers read. */
export interface ErrorBody {
  readonly code: string;
  readonly errorId: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly message: string;
}

/** An error body is short and never compressed; a record may be long, and is not parsed. */
const ERROR_BYTES_MAX = 4_096;

/** The error body of a function's answer; undefined for any other answer, such as one of the gateway's own. */
export function errorBodyOf({ statusCode, body }: GatewayResponse): ErrorBody | undefined {
  if (statusCode < 400 || body === undefined || body.length > ERROR_BYTES_MAX) return undefined;
  try {
    const { code, error_id: errorId, timestamp, message } = JSON.parse(body.toString()) as Members;
    if (typeof code !== "string" || typeof errorId !== "string") return undefined;
    return { code, errorId, timestamp: Number(timestamp), message: String(message) };
  } catch {
    return undefined;
  }
}

type Members = Readonly<Record<string, unknown>>;
