import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ErrorCode } from "../../lib/errors.ts";

/** A request that was sent to the service, and the answer that it had. */
export interface RecordedExample {
  /** What it shows: a success by its title, a failure by its code. */
  readonly name: string;
  readonly code?: ErrorCode;
  readonly request: {
    /** Path and query as they were sent. */
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** The body to the letter; empty for a 304. */
    readonly body: string;
  };
}

/** The file of an endpoint's recorded examples. */
export const exampleFile = (endpoint: string): string =>
  join(import.meta.dirname, "examples", `${endpoint}.json`);

/** The examples of an endpoint, by the name of its contract. */
export async function readExamples(endpoint: string): Promise<readonly RecordedExample[]> {
  return JSON.parse(await readFile(exampleFile(endpoint), "utf8"));
}
