import { LoggableError } from "./errors.ts";
import type { MetricMembers } from "./metrics.ts";
import { originalFrames } from "./source-positions.ts";

/**
 * The members by which Lambda keeps lines of a level and above. A line without a valid level and time counts as INFO
 * (Lambda developer guide, "Log-level filtering").
 */
export interface LogLine {
  /** RFC 3339, in UTC. */
  readonly timestamp: string;
  /** `ERROR` for an answer that an operator has to look at, `WARN` for one that was given without the store. */
  readonly level: "INFO" | "WARN" | "ERROR";
}

/** The time of a line, from a clock's reading in epoch ms. */
export const timestampOf = (epochMs: number): string => new Date(epochMs).toISOString();

/**
 * One structured line per request, which never has a path, a query, a header, a token, a key or a field of a record.
 */
export interface RequestLogEntry extends LogLine, MetricMembers {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly cold_start: boolean;
  /** The gateway's own id of the request, which its access log has as well. */
  readonly gateway_request_id?: string;
  /** Lambda's id of the invocation, which its own lines have as well, and the access log as `integrationRequestId`. */
  readonly aws_request_id?: string;
  /** The id of the trace in X-Ray. */
  readonly trace_id?: string;
  readonly owner?: string;
  readonly error_id?: string;
  readonly code?: string;
  /** The check that refused the request, where the caller is not told. */
  readonly reason?: string;
  readonly fault?: Fault;
}

/** A description of an internal fault, without any text that could repeat what a caller sent. */
export interface Fault {
  readonly name: string;
  readonly message?: string;
  /** Why there is no connection or no answer, in a fixed word of Node.js, such as `ECONNREFUSED`. */
  readonly code?: string;
  /** The id that DynamoDB or SQS gave the request, by which AWS Support finds it. */
  readonly request_id?: string;
  readonly frames: readonly string[];
  readonly cause?: Fault;
}

export type Log = (line: LogLine) => void;

/** Members that every line of a function has: the dimensions of its metrics. */
export interface LogOrigin {
  readonly stage: string;
  /** The name of the endpoint's contract. */
  readonly endpoint: string;
}

/**
 * Writes lines of JSON to standard output, where Lambda collects them. Every line of the log is written here. Lambda
 * would wrap a line of `console` in another one, in which CloudWatch finds no metrics. A line's own members win.
 */
export const logOf =
  (origin: LogOrigin): Log =>
  (line) =>
    void process.stdout.write(`${JSON.stringify({ ...origin, ...line })}\n`);

const FRAMES_MAX = 8;
const CAUSES_MAX = 4;
/** The store names its own errors and says why: what else answers in its place may say much more. */
const NAME_MAX = 100;
const MESSAGE_MAX = 1_000;

/** The forms of the fixed words of Node.js, and of the ids of AWS: nothing else is taken for one. */
const CODE = /^[A-Z][A-Z0-9_]{1,49}$/;
const REQUEST_ID = /^[A-Za-z0-9-]{1,100}$/;

/**
 * An error as the log may show it, with frames as the running code has them. Messages of our own errors and of AWS's
 * services are kept. The message of any other error may quote its input (a JSON parser's does), so only the error's name,
 * the code of a connection, the id of a request and stack frames are kept.
 */
export function faultOf(error: unknown, depth = 0): Fault {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const speaksOfUsOnly = error instanceof LoggableError || "$fault" in error;
  const { code, $metadata } = error as ErrorMembers;
  return {
    name: error.name.slice(0, NAME_MAX),
    ...(speaksOfUsOnly && { message: error.message.slice(0, MESSAGE_MAX) }),
    ...(isLike(CODE, code) && { code }),
    ...(isLike(REQUEST_ID, $metadata?.requestId) && { request_id: $metadata.requestId }),
    frames: frames.slice(0, FRAMES_MAX).map((line) => line.trim()),
    ...(error.cause !== undefined && depth < CAUSES_MAX && { cause: faultOf(error.cause, depth + 1) }),
  };
}

/** Members of an error that say where a call has ended: Node.js's, and those of both clients of DynamoDB. */
interface ErrorMembers {
  readonly code?: unknown;
  readonly $metadata?: { readonly requestId?: unknown };
}

const isLike = (form: RegExp, value: unknown): value is string =>
  typeof value === "string" && form.test(value);

/** A fault whose frames are places in the sources. */
export const inSources = ({ cause, ...fault }: Fault): Fault => ({
  ...fault,
  frames: originalFrames(fault.frames),
  ...(cause !== undefined && { cause: inSources(cause) }),
});

/** An error as the log shows it. */
export const describeFault = (error: unknown): Fault => inSources(faultOf(error));
