import type { TomorrowScene } from "../../local/tomorrow/scenes.ts";
import type { Step } from "./play.ts";
import type { InterfaceName } from "./scene.ts";

/** What an answer gave to the client. */
export interface Given {
  /** The next page, as the answer names it: a cursor, or the query of a link. */
  next?: string;
  /** Which changes of tomorrow the answer has. */
  changes: readonly TomorrowScene[];
  /** The texts of its ids and amounts, without signs, by the paths of their members. */
  texts: Readonly<Record<string, readonly string[]>>;
}

/** A request as it was sent. */
export interface SentRequest {
  /** Path and query. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One request of the client, and what it met. Instants are epoch milliseconds by the clock of the check. */
export interface Visit extends SentRequest, Given {
  /** Counts the requests, from 1. */
  readonly number: number;
  /** Counts the runs of the client, from 1. */
  readonly run: number;
  readonly interfaceName: InterfaceName;
  /** The name of the endpoint. */
  readonly endpoint: string;
  readonly arrivedMs: number;
  /** The moment before the answer was sent, or the connection cut. */
  answeredMs: number;
  /** 0 for a connection that was cut before any answer. */
  status: number;
  /** The tag of the answer. */
  tag?: string;
  /** The place in the play; undefined for a request that the service itself refuses. */
  step?: Step;
  /** Why the service itself refuses the request: the code of the error, and the reason that only its log has. */
  refusal?: { readonly code: string; readonly reason: string };
}

/** The end of one run of the client. */
export interface RunEnd {
  readonly run: number;
  readonly endedMs: number;
  /** The exit code; undefined when the check ended the run. */
  readonly code?: number;
}

/** A request for the same thing that followed another one; undefined when none did. */
export function repetitionOf(visits: readonly Visit[], visit: Visit): Visit | undefined {
  return visits.find((later) => later.number > visit.number && isForTheSame(later, visit));
}

/** Whether two requests of one run were for the same page, record or poll. */
export const isForTheSame = (one: Visit, other: Visit): boolean =>
  one.run === other.run &&
  one.endpoint === other.endpoint &&
  one.step?.act === other.step?.act &&
  one.step?.station === other.step?.station;

/** The next request of the same run; undefined when there is none. */
export const followerOf = (visits: readonly Visit[], visit: Visit): Visit | undefined =>
  visits.find((later) => later.number > visit.number && later.run === visit.run);
