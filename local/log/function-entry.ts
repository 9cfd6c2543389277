import type { RequestLogEntry } from "../../lib/log.ts";

/** The members of a function's line about a request that name the request. */
export type FunctionEntry = RequestLogEntry & { readonly gateway_request_id: string };

/** Reads a line that a function printed; undefined for a line that is not about a request. */
export function readFunctionEntry(line: string): FunctionEntry | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const entry = JSON.parse(line) as Partial<FunctionEntry>;
    const isEntry = typeof entry.gateway_request_id === "string" && typeof entry.status === "number";
    return isEntry ? (entry as FunctionEntry) : undefined;
  } catch {
    return undefined;
  }
}
