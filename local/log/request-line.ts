import { parsedJson } from "../../lib/json-value.ts";
import type { RequestLogEntry } from "../../lib/log.ts";
import type { Bill } from "../bill/bill.ts";
import type { Exchange } from "../gateway/exchange.ts";
import { errorBodyOf } from "../hints/request-seen.ts";
import { shownTarget } from "../http/shown-target.ts";
import type { StoreCall } from "../store/store-call.ts";
import { type Paint, tintOfStatus } from "../terminal/tint.ts";

/** What is printed of one request. */
export interface RequestReport {
  readonly exchange: Exchange;
  /** Sentences for the caller, which came with the answer as well. */
  readonly hints: readonly string[];
  /** The calls of the store that the function made for it. */
  readonly calls: readonly StoreCall[];
  /** Absent for a page that a deployment does not have. */
  readonly bill?: Bill;
}

const TIME_LENGTH = "12:01:33".length;
const INDENT = " ".repeat(TIME_LENGTH + 1);

/**
 * A request as a line, and a line for each hint. `entry` is what the function logged: it knows the reason of a refusal,
 * which callers are not told.
 */
export function requestLines(
  { exchange, hints, bill }: RequestReport,
  entry: Pick<RequestLogEntry, "reason"> | undefined,
  paint: Paint,
): readonly string[] {
  const { method, sentTarget, receivedAtMs, durationMs, response } = exchange;
  const parts = [
    paint("soft", timeOf(receivedAtMs + durationMs)),
    `${method} ${shownTarget(sentTarget)}`,
    paint(tintOfStatus(response.statusCode), `${response.statusCode}`),
    `${durationMs} ms`,
    ...tokensOf(bill),
    ...refusalOf(exchange, entry?.reason),
    ...(response.scene === undefined ? [] : [paint("accent", `tomorrow: ${response.scene}`)]),
  ];
  return [parts.join(" "), ...hints.map((hint) => `${INDENT}${paint("warn", `warning: ${hint}`)}`)];
}

/** The time of day on this machine, as in `12:01:33`. */
const timeOf = (epochMs: number): string => new Date(epochMs).toTimeString().slice(0, TIME_LENGTH);

function tokensOf(bill: Bill | undefined): readonly string[] {
  if (bill === undefined || bill.tokens === 0) return [];
  return [`${bill.tokens} token${bill.tokens === 1 ? "" : "s"}`];
}

function refusalOf({ response }: Exchange, reason: string | undefined): readonly string[] {
  if (response.statusCode < 400) return [];
  const error = errorBodyOf(response);
  if (error === undefined) return ["by the gateway"];
  return [error.code, ...(reason === undefined ? [] : [`(${reason})`]), `error_id ${error.errorId}`];
}

/** The members of a function's line about a request that name the request. */
export type FunctionEntry = RequestLogEntry & { readonly gateway_request_id: string };

/** Reads a line that a function printed; undefined for a line that is not about a request. */
export function readFunctionEntry(line: string): FunctionEntry | undefined {
  if (!line.startsWith("{")) return undefined;
  const entry = parsedJson(line) as Partial<FunctionEntry> | undefined;
  const isEntry = typeof entry?.gateway_request_id === "string" && typeof entry.status === "number";
  return isEntry ? (entry as FunctionEntry) : undefined;
}
