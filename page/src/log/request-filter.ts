import type { LogEvent } from "../../../local/page/page-questions.ts";

/** Which requests are wanted. An empty part wants all of them. */
export interface RequestFilter {
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly status: StatusGroup;
  /** A part of the request, of its error code, of a hint, of a fault or of its id; upper and lower case are alike. */
  readonly text: string;
}

/** The statuses that begin with a digit; `none` for requests without an answer. */
export type StatusGroup = "" | "2" | "3" | "4" | "5" | "none";

/** A filter that wants every request. */
export const EVERY_REQUEST: RequestFilter = { endpoint: "", status: "", text: "" };

/** Whether a request is wanted. */
export function isWanted({ endpoint, status, text }: RequestFilter, event: LogEvent): boolean {
  if (endpoint !== "" && event.endpoint !== endpoint) return false;
  if (status !== "" && groupOf(event.status) !== status) return false;
  const wanted = text.trim().toLowerCase();
  return wanted === "" || textsOf(event).some((part) => part.toLowerCase().includes(wanted));
}

const groupOf = (status: number): string => (status === 0 ? "none" : String(status).slice(0, 1));

const textsOf = ({ method, target, status, error, fault, hints, requestId }: LogEvent): readonly string[] => [
  `${method} ${target}`,
  String(status),
  error ?? "",
  fault ?? "",
  requestId,
  ...hints,
];
