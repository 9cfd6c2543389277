import { readItems } from "../../../client/src/budget.ts";
import { retryAfterMs } from "../../../client/src/told-wait.ts";

/** A header of an answer, with what it says. */
export interface HeaderNote {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

/** What the reader of a header has to know beside its value. */
interface Known {
  readonly headers: Headers;
  readonly retryAfterUnit: "milliseconds" | "seconds";
  /** Unix epoch milliseconds, when the answer came. */
  readonly now: number;
}

type Explain = (value: string, known: Known) => string;

/** The headers that a client acts on, in the order in which they are shown. */
const EXPLAINED: readonly (readonly [name: string, explain: Explain])[] = [
  ["RateLimit", (value, { headers }) => tokensLeft(value, headers.get("RateLimit-Policy"))],
  ["Retry-After", (_, known) => waitMeant(known)],
  [
    "ETag",
    () => "The tag of this version. Sent back in If-None-Match, it gets a 304 while nothing has changed.",
  ],
  ["Link", (value) => (/rel="?next/.test(value) ? "The next page." : "What replaces this way of asking.")],
  ["Deprecation", (value) => `Deprecated since ${dayOfSeconds(value)}: use what Link names.`],
  ["Sunset", (value) => `Will be removed on ${value}.`],
  ["WWW-Authenticate", () => "The credential that is asked for."],
  ["X-Local-Tomorrow", () => "What is new in this answer, because --tomorrow serves what is to come."],
  ["X-Local-Warning", () => "A hint of the local server. A deployment does not send it."],
];

/** The headers of an answer that a client acts on, each with what it says. */
export const headerNotes = (known: Known): readonly HeaderNote[] =>
  EXPLAINED.flatMap(([name, explain]) => {
    const value = known.headers.get(name);
    return value === null ? [] : [{ name, value, meaning: explain(value, known) }];
  });

function tokensLeft(value: string, policy: string | null): string {
  const full = readItems(policy);
  const buckets = [...readItems(value)].map(([name, { r: left = 0, t: fullInS = 0 }]) => {
    const burst = full.get(name)?.q;
    return `${left}${burst === undefined ? "" : ` of ${burst}`} tokens left in “${name}”, full again in ${fullInS} s`;
  });
  return `${buckets.join("; ")}.`;
}

function waitMeant({ headers, retryAfterUnit, now }: Known): string {
  const waitMs = retryAfterMs(headers, { retryAfterUnit, now });
  if (waitMs === undefined) return "This interface does not send such a value.";
  return `Wait ${waitMs} ms, then send the request again. This interface counts ${retryAfterUnit}.`;
}

/** The day of a structured date such as `@1782864000` (RFC 9651). */
function dayOfSeconds(value: string): string {
  const seconds = /^@(\d{1,11})$/.exec(value)?.[1];
  return seconds === undefined ? value : new Date(Number(seconds) * 1_000).toISOString().slice(0, 10);
}
