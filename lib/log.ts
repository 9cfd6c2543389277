import { Failure } from "./errors.ts";
import { originalFrames } from "./source-positions.ts";

/**
 * What Lambda goes by when it keeps lines of a level and above: one without a valid level and time counts as INFO, whatever
 * it says (Lambda developer guide, "Log-level filtering").
 */
export interface LogLine {
  /** RFC 3339, in UTC. */
  readonly timestamp: string;
  /** `ERROR` for an answer that an operator has to look at, `WARN` for one that was given without the store. */
  readonly level: "INFO" | "WARN" | "ERROR";
}

/** The time of a line, from a clock's reading in epoch ms. */
export const timestampOf = (epochMs: number): string => new Date(epochMs).toISOString();

/** One structured line a request. It never carries a path, a query, a header, a token, a key or a field of a record. */
export interface RequestLogEntry extends LogLine {
  readonly endpoint: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly cold_start: boolean;
  /** The gateway's own id of the request, by which its access log is joined. */
  readonly gateway_request_id?: string;
  readonly owner?: string;
  readonly error_id?: string;
  readonly code?: string;
  /** Which check refused the request, where the caller is not told. */
  readonly reason?: string;
  readonly fault?: Fault;
}

/** What went wrong inside, without any text that could repeat what a caller sent. */
export interface Fault {
  readonly name: string;
  readonly message?: string;
  readonly frames: readonly string[];
  readonly cause?: Fault;
}

export type Log = (entry: RequestLogEntry) => void;

/** Writes a line of JSON to standard output, where Lambda collects it. The one place that lines leave by. */
export function writeLine(line: LogLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const FRAMES_MAX = 8;
const CAUSES_MAX = 4;

/**
 * An error as the log may show it. The message is kept where we or the store's service wrote it; that of any other
 * error may quote its input (a JSON parser's does), so only its name and its stack frames are kept.
 */
export function describeFault(error: unknown, depth = 0): Fault {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const speaksOfUsOnly = error instanceof Failure || "$fault" in error;
  return {
    name: error.name,
    ...(speaksOfUsOnly && { message: error.message }),
    frames: originalFrames(frames.slice(0, FRAMES_MAX).map((line) => line.trim())),
    ...(error.cause !== undefined && depth < CAUSES_MAX && { cause: describeFault(error.cause, depth + 1) }),
  };
}
