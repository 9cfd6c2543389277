import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { type Instant, instantOf, microsKey } from "../instant.ts";

const REQUEST_WINDOW_S = 14 * 86_400;

export interface WindowRequest {
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  readonly request_id?: string | undefined;
}

/** The span of creation times of a list. Unlike a window of trades, it does not include its end. */
export interface CreationSpan {
  /** Inclusive; undefined is the beginning of all records. */
  readonly from: Instant | undefined;
  /** Exclusive. */
  readonly to: Instant;
}

/**
 * The span of creation times that a list covers: from `from` inclusive to `to` exclusive. `to` is now by default, or
 * `from` where that lies ahead. A search by request id needs a start, and covers at most 14 days (contract: rule 2 of
 * retrieve a transaction).
 *
 * @throws {Failure} `validation_error` that names the parameter.
 */
export function listWindow(request: WindowRequest, clock: Clock): CreationSpan {
  const { from, request_id: requestId } = request;
  const to = request.to ?? laterOf(from, instantOf(clock()));
  if (from !== undefined && microsKey(from) > microsKey(to))
    throw invalid("from", "must not be later than to");
  if (requestId === undefined) return { from, to };
  if (from === undefined) throw invalid("from", "is required with request_id");
  if (!isWithin(from, to, REQUEST_WINDOW_S))
    throw invalid("to", "must be at most 14 days after from with request_id");
  return { from, to };
}

/** A start ahead of our clock, which may be behind the caller's, begins a window that is still empty. */
const laterOf = (from: Instant | undefined, now: Instant): Instant =>
  from !== undefined && microsKey(from) > microsKey(now) ? from : now;

/** Whether `to` lies at most `spanS` seconds after `from`, to the microsecond. */
function isWithin(from: Instant, to: Instant, spanS: number): boolean {
  return microsKey(to) <= microsKey({ ...from, seconds: from.seconds + spanS });
}

const invalid = (parameter: string, rule: string): Failure =>
  new Failure("validation_error", `${parameter}: ${rule}.`);
