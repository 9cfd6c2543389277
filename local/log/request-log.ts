import { RecentMap } from "../../lib/recent-map.ts";
import { within } from "../process/within.ts";
import type { Paint } from "../terminal/tint.ts";
import { type FunctionEntry, type RequestReport, readFunctionEntry, requestLines } from "./request-line.ts";

/** How long a request's line waits for the function's own. They arrive at almost the same time, in either order. */
const WAIT_MS = 200;
/** Lines of functions that wait for the answer to be sent. */
const ENTRIES_MAX = 1_000;

export interface RequestLogParts {
  readonly print: (line: string) => void;
  /** Prints a line of a function, or of the gateway, as it is. */
  readonly log: (name: string, line: string) => void;
  readonly paint: Paint;
  readonly waitMs?: number;
}

/**
 * Prints each request as a line for people, in place of the JSON that its function logs. A fault of a function is still
 * printed in full, and so is whatever else functions print.
 */
export class RequestLog {
  readonly #parts: RequestLogParts;
  readonly #entries = new RecentMap<string, FunctionEntry>(ENTRIES_MAX);
  readonly #awaited = new Map<string, (entry: FunctionEntry) => void>();
  readonly #unprinted = new Set<Promise<void>>();

  constructor(parts: RequestLogParts) {
    this.#parts = parts;
  }

  /** Takes a line of a function or of the gateway. */
  readonly take = (name: string, line: string): void => {
    const entry = readFunctionEntry(line);
    if (entry === undefined || entry.fault !== undefined) this.#parts.log(name, line);
    if (entry === undefined) return;
    const resolve = this.#awaited.get(entry.gateway_request_id);
    if (resolve === undefined) this.#entries.set(entry.gateway_request_id, entry);
    else resolve(entry);
  };

  /** Prints a request, as soon as its function has said why it was refused. */
  readonly answered = (report: RequestReport): void => {
    const printed = this.#print(report).finally(() => this.#unprinted.delete(printed));
    this.#unprinted.add(printed);
  };

  /** Resolves when every request that was answered is printed. */
  async flush(): Promise<void> {
    await Promise.all(this.#unprinted);
  }

  async #print(report: RequestReport): Promise<void> {
    const { print, paint, waitMs = WAIT_MS } = this.#parts;
    const { requestId, response } = report.exchange;
    const isFunctions = "request-id" in response.headers;
    const entry = isFunctions ? await within(waitMs, this.#entryOf(requestId)) : undefined;
    this.#entries.delete(requestId);
    this.#awaited.delete(requestId);
    for (const line of requestLines(report, entry, paint)) print(line);
  }

  #entryOf(requestId: string): Promise<FunctionEntry> {
    const entry = this.#entries.get(requestId);
    if (entry !== undefined) return Promise.resolve(entry);
    return new Promise((resolve) => this.#awaited.set(requestId, resolve));
  }
}
