/** A request that was answered, as the live log of the page tells it. It has no credential and no body. */
export interface LogEvent {
  readonly requestId: string;
  /** When the request arrived, in epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  /** Path and query, with what may be a credential hidden. */
  readonly target: string;
  /** The endpoint's name; null where no route fits. */
  readonly endpoint: string | null;
  /** 0 for a connection that was reset in place of an answer. */
  readonly status: number;
  readonly tookMs: number;
  /** DynamoDB's units, reads and writes together; absent for a page that a deployment does not have. */
  readonly billedUnits?: number;
  readonly hints: readonly string[];
  /** The name of the fault that the request met. */
  readonly fault: string | null;
  /** The code of a refusal. */
  readonly error: string | null;
}
