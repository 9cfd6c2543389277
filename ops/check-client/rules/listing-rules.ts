import { microsKey, parseDateOrInstant } from "../../../lib/instant.ts";
import type { Observation } from "../../checks/rule.ts";
import { areNeighbours, overlapOf, type Span } from "../listings.ts";
import { isForTheSame, type Visit } from "../visit.ts";
import {
  answeredWith,
  type ClientRule,
  contractOf,
  type Evidence,
  fail,
  isOfListing,
  isSettled,
  listings,
  named,
  pass,
  unseen,
} from "./client-rule.ts";

const queryOf = ({ target }: Visit): string => target.slice(target.indexOf("?") + 1);

/** The request for the page after this one; undefined when none came. */
const nextOf = ({ visits }: Evidence, { step, run, endpoint }: Visit): Visit | undefined =>
  visits.find(
    (later) =>
      later.run === run &&
      later.endpoint === endpoint &&
      later.step?.act === step?.act &&
      later.step?.station === (step?.station ?? 0) + 1,
  );

/** The rule that a page with another after it is followed. */
function judgeFollowed(evidence: Evidence, answer: "plain" | "empty-page"): Observation {
  const pages = answeredWith(evidence, answer).filter(({ next }) => next !== undefined);
  if (pages.length === 0)
    return unseen(`no ${answer === "empty-page" ? "empty " : ""}page with a next one was met`);
  const left = pages.find((page) => nextOf(evidence, page) === undefined);
  if (left === undefined) return pass(`the page after ${pages.map(named).join(", ")} was read`);
  if (!isSettled(evidence, left)) return unseen("the check ended before the listing was read");
  return fail(`the page after ${named(left)} was never read`);
}

function judgeOnce(evidence: Evidence): Observation {
  const pages = evidence.visits.filter(
    (visit) => visit.status === 200 && visit.step?.trouble === undefined && isOfListing(visit),
  );
  if (pages.length === 0) return unseen("no page was read");
  for (const page of pages) {
    const again = pages.find((later) => later.number > page.number && isForTheSame(later, page));
    if (again !== undefined) return fail(`${named(again)} read the page of ${named(page)} again`);
  }
  return pass(`${pages.length} pages, each once`);
}

/** The next page as a request asks for it: the value of its cursor, or its whole query where a link gave that. */
function askedPage({ interfaceName }: Evidence, visit: Visit): string | undefined {
  const cursor = new URLSearchParams(queryOf(visit)).get("cursor");
  if (cursor === null) return undefined;
  return interfaceName === "exchange" ? cursor : queryOf(visit);
}

function judgeExact(evidence: Evidence): Observation {
  const given = new Set(evidence.visits.flatMap(({ next }) => (next === undefined ? [] : [next])));
  const followers = evidence.visits.filter((visit) => askedPage(evidence, visit) !== undefined);
  if (followers.length === 0) return unseen("no further page was asked for");
  const altered = followers.find((visit) => !given.has(askedPage(evidence, visit) ?? ""));
  if (altered === undefined) return pass(`${followers.length} requests with what the page before gave`);
  const refused = altered.refusal === undefined ? "" : ` (${altered.refusal.code})`;
  return fail(`${named(altered)} asked for ${queryOf(altered).slice(0, 200)}${refused}`);
}

/** The rules about the pages of a listing. */
export const pageRules: readonly ClientRule[] = [
  {
    id: "next-page",
    level: contractOf(["exchange"], "RFC"),
    rule: "A listing is read to its end",
    expected: "every page that has one before it",
    why: "A page without a next_cursor, or without a Link of rel=next, is the last; any other has more after it.",
    advice: "Go on until a page names no next one, however many records it has.",
    interfaces: listings,
    run: (evidence) => judgeFollowed(evidence, "plain"),
  },
  {
    id: "empty-page",
    level: contractOf(["exchange"], "RFC"),
    rule: "An empty page is not taken for the end",
    expected: "the page after the empty one",
    why: "A page may be empty and still name a next one: the service then stopped looking before it found a match.",
    advice: "Look only at next_cursor, or at the Link; never at the number of records.",
    interfaces: listings,
    run: (evidence) => judgeFollowed(evidence, "empty-page"),
  },
  {
    id: "page-once",
    level: "advice",
    rule: "No page is read twice",
    expected: "each page once",
    why: "A page that is read again costs tokens again, and its records are easily counted twice.",
    advice: "Repeat only the request that failed, with the cursor that it had, and keep the pages before it.",
    interfaces: listings,
    run: judgeOnce,
  },
  {
    id: "cursor-exact",
    level: contractOf(["exchange"], "RFC"),
    rule: "The next page is asked for as the last one names it",
    expected: "the cursor or Link as it was given",
    why: "A cursor belongs to its listing, and the query of a Link to its cursor: what is changed in them is refused, or reads another listing.",
    advice:
      "Exchange: send next_cursor as cursor, with the same dates and limit. Transactions: append the Link to the URL of the list, and add nothing.",
    interfaces: listings,
    run: judgeExact,
  },
];

/** The window of a listing. */
interface AskedWindow extends Span {
  readonly visit: Visit;
}

/** The windows that a run asked for by both ends, the newest first. */
function windowsOf({ visits, interfaceName }: Evidence): AskedWindow[] {
  const windows = new Map<string, AskedWindow>();
  for (const visit of visits) {
    const query = new URLSearchParams(queryOf(visit));
    if (query.has("cursor")) continue;
    const window = interfaceName === "exchange" ? tradeWindow(query) : transactionWindow(query);
    if (window === undefined) continue;
    const subject = `${visit.run} ${visit.endpoint} ${window.first} ${window.last}`;
    if (!windows.has(subject)) windows.set(subject, { visit, ...window });
  }
  return [...windows.values()].sort(
    (one, other) => one.visit.run - other.visit.run || other.first - one.first,
  );
}

/** Milliseconds; the contract includes both ends. */
function tradeWindow(query: URLSearchParams): Span | undefined {
  const [start, end] = [query.get("start_date"), query.get("end_date")];
  return start === null || end === null ? undefined : { first: Number(start), last: Number(end) };
}

/** Microseconds; the contract includes `from` and not `to`. */
function transactionWindow(query: URLSearchParams): Span | undefined {
  const [from, to] = [query.get("from"), query.get("to")].map((text) => parseDateOrInstant(text ?? ""));
  if (from === undefined || to === undefined) return undefined;
  return { first: Number(microsKey(from)), last: Number(microsKey(to)) - 1 };
}

/** Judges each two windows of one run that are meant to stand side by side, by how many instants they share. */
function judgeNeighbours(evidence: Evidence, faultOf: (overlap: number) => string | undefined): Observation {
  const windows = windowsOf(evidence);
  let neighbours = 0;
  for (const [at, newer] of windows.entries()) {
    const older = windows[at + 1];
    if (older?.visit.run !== newer.visit.run || !areNeighbours(newer, older)) continue;
    neighbours += 1;
    const fault = faultOf(overlapOf(newer, older));
    if (fault !== undefined) return fail(`${named(older.visit)} and ${named(newer.visit)}: ${fault}`);
  }
  return neighbours === 0
    ? unseen("no two windows side by side were read in one run")
    : pass(`${neighbours} borders`);
}

const ADVICE =
  "Trades: both ends are included, so the next older window ends at start_date - 1. Transactions: from is included and to is not, so it ends at the from of the newer one.";

/** The rules about windows that stand side by side. */
export const windowRules: readonly ClientRule[] = [
  {
    id: "window-no-overlap",
    level: "advice",
    rule: "No instant is read in two windows",
    expected: "windows that do not overlap",
    why: "What two windows include is paid for twice in tokens, and a record there comes twice. A client that drops doubles by their ids may overlap windows on purpose.",
    advice: ADVICE,
    interfaces: listings,
    run: (evidence) =>
      judgeNeighbours(evidence, (overlap) => (overlap > 0 ? "the windows overlap" : undefined)),
  },
  {
    id: "window-no-gap",
    level: "advice",
    rule: "No instant is left out between two windows",
    expected: "windows without a gap",
    why: "A record between two windows is never read.",
    advice: ADVICE,
    interfaces: listings,
    run: (evidence) =>
      judgeNeighbours(evidence, (overlap) =>
        overlap < 0 ? "there is a gap between the windows" : undefined,
      ),
  },
];
