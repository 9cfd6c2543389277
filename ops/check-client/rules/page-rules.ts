import { isForTheSame, type Visit } from "../visit.ts";
import {
  always,
  answeredWith,
  type ClientRule,
  contractOf,
  type Evidence,
  fail,
  isOfListing,
  isSettled,
  type Judgement,
  named,
  pass,
  unseen,
} from "./client-rule.ts";

const listings = ["exchange", "business"] as const;

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
function judgeFollowed(evidence: Evidence, answer: "plain" | "empty"): Judgement {
  const pages = answeredWith(evidence, answer).filter(({ next }) => next !== undefined);
  if (pages.length === 0)
    return unseen(`no ${answer === "empty" ? "empty " : ""}page with a next one was met`);
  const left = pages.find((page) => nextOf(evidence, page) === undefined);
  if (left === undefined) return pass(`the page after ${pages.map(named).join(", ")} was read`);
  if (!isSettled(evidence, left)) return unseen("the check ended before the listing was read");
  return fail(`the page after ${named(left)} was never read`);
}

function judgeOnce(evidence: Evidence): Judgement {
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

function judgeExact(evidence: Evidence): Judgement {
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
    levelOf: contractOf(["exchange"], "RFC"),
    rule: "A listing is read to its end",
    expected: "every page that has one before it",
    why: "A page without a next_cursor, or without a Link of rel=next, is the last; any other has more after it.",
    advice: "Go on until a page names no next one, however many records it has.",
    interfaces: listings,
    judge: (evidence) => judgeFollowed(evidence, "plain"),
  },
  {
    id: "empty-page",
    levelOf: contractOf(["exchange"], "RFC"),
    rule: "An empty page is not taken for the end",
    expected: "the page after the empty one",
    why: "A page may be empty and still name a next one: the service then stopped looking before it found a match.",
    advice: "Look only at next_cursor, or at the Link; never at the number of records.",
    interfaces: listings,
    judge: (evidence) => judgeFollowed(evidence, "empty"),
  },
  {
    id: "page-once",
    levelOf: always("advice"),
    rule: "No page is read twice",
    expected: "each page once",
    why: "A page that is read again costs tokens again, and its records are easily counted twice.",
    advice: "Repeat only the request that failed, with the cursor that it had, and keep the pages before it.",
    interfaces: listings,
    judge: judgeOnce,
  },
  {
    id: "cursor-exact",
    levelOf: contractOf(["exchange"], "RFC"),
    rule: "The next page is asked for as the last one names it",
    expected: "the cursor or Link as it was given",
    why: "A cursor belongs to its listing, and the query of a Link to its cursor: what is changed in them is refused, or reads another listing.",
    advice:
      "Exchange: send next_cursor as cursor, with the same dates and limit. Transactions: append the Link to the URL of the list, and add nothing.",
    interfaces: listings,
    judge: judgeExact,
  },
];
