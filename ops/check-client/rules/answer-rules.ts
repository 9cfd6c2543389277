import type { Observation } from "../../checks/rule.ts";
import type { Content } from "../scene.ts";
import { followerOf, type Visit } from "../visit.ts";
import {
  answeredWith,
  type ClientRule,
  contractOf,
  type Evidence,
  endOf,
  fail,
  isOfListing,
  isSettled,
  listings,
  named,
  pass,
  unseen,
} from "./client-rule.ts";

/** A request of a client that knows a tag. */
interface TaggedPoll {
  readonly visit: Visit;
  readonly sent: string | undefined;
  /** The tags that the run has been given, the newest last. */
  readonly known: readonly string[];
  /** Whether the newest of them has been confirmed by a 304. */
  readonly isConfirmed: boolean;
}

/** The polls of clients that know a tag, from run to run. */
function taggedPolls({ visits }: Evidence): TaggedPoll[] {
  const polls: TaggedPoll[] = [];
  const states = new Map<string, { known: readonly string[]; isConfirmed: boolean }>();
  for (const visit of visits) {
    const subject = `${visit.run} ${visit.target}`;
    const state = states.get(subject) ?? { known: [], isConfirmed: false };
    if (state.known.length > 0) polls.push({ visit, sent: visit.headers["if-none-match"], ...state });
    if (visit.tag !== undefined)
      states.set(subject, { known: [...state.known, visit.tag], isConfirmed: false });
    else if (visit.status === 304) states.set(subject, { ...state, isConfirmed: true });
  }
  return polls;
}

/** A rule about polls: which of them it concerns, and what is wrong with one. */
interface TagRule extends Pick<ClientRule, "id" | "rule" | "expected" | "why"> {
  readonly advice?: string;
  readonly isConcerned: (poll: TaggedPoll) => boolean;
  readonly faultOf: (poll: TaggedPoll) => string | undefined;
}

const tagRule = ({ isConcerned, faultOf, ...rule }: TagRule): ClientRule => ({
  advice: "Keep the text of ETag with the pass, and send it in If-None-Match as it is.",
  ...rule,
  interfaces: ["passes"],
  run: (evidence) => {
    const polls = taggedPolls(evidence).filter(isConcerned);
    if (polls.length === 0) return unseen("no poll of this kind came");
    const wrong = polls.find((poll) => faultOf(poll) !== undefined);
    return wrong === undefined
      ? pass(`${polls.length} polls`)
      : fail(`${named(wrong.visit)} ${faultOf(wrong)}`);
  },
});

const tagFaults: readonly TagRule[] = [
  {
    id: "tag-sent",
    rule: "A poll sends the tag of the pass that the client has",
    expected: "If-None-Match",
    why: "With the tag, an unchanged pass is a 304 without a body.",
    isConcerned: ({ isConfirmed }) => !isConfirmed,
    faultOf: ({ sent }) => (sent === undefined ? "has no If-None-Match" : undefined),
  },
  {
    id: "tag-exact",
    rule: "The tag is sent as it was given",
    expected: "the text of ETag, with its quotes",
    why: "The quotes belong to a tag (RFC 9110 8.8.3): without them it matches nothing, and every poll gets the whole pass.",
    isConcerned: ({ sent }) => sent !== undefined,
    faultOf: ({ sent = "", known }) => (known.includes(sent) ? undefined : `sent ${sent.slice(0, 80)}`),
  },
  {
    id: "tag-newest",
    rule: "The tag of a changed pass replaces the one before",
    expected: "the tag of the last 200",
    why: "With an old tag, every poll gets the whole pass again.",
    advice: "Keep the tag of each 200, together with its pass.",
    isConcerned: ({ sent, known }) => sent !== undefined && known.length > 1,
    faultOf: ({ sent = "", known }) =>
      known.includes(sent) && sent !== known.at(-1) ? "sent the tag of an older pass" : undefined,
  },
  {
    id: "tag-kept",
    rule: "The tag is kept after a 304",
    expected: "If-None-Match",
    why: "A 304 says that the pass with this tag is still the current one.",
    advice: "Take tag and pass from a 200 only, and leave both alone at a 304.",
    isConcerned: ({ isConfirmed }) => isConfirmed,
    faultOf: ({ sent }) => (sent === undefined ? "has no If-None-Match after a 304" : undefined),
  },
];

/** The rules about entity tags. */
export const tagRules = tagFaults.map(tagRule);

/** Whether a client went on after an answer: it sent another request, or ended well. Undefined while nobody can tell. */
function wentOn(evidence: Evidence, visit: Visit): boolean | undefined {
  if (followerOf(evidence.visits, visit) !== undefined) return true;
  const code = endOf(evidence, visit)?.code;
  if (code === 0) return true;
  if (visit.step?.isLast === true && code === undefined) return undefined;
  return isSettled(evidence, visit) ? false : undefined;
}

function judgeTolerance(evidence: Evidence, answer: Content, what: string): Observation {
  const visits = answeredWith(evidence, answer);
  if (visits.length === 0) return unseen(`no answer ${what} was met`);
  const stopped = visits.find((visit) => wentOn(evidence, visit) === false);
  if (stopped !== undefined) return fail(`nothing came after ${named(stopped)}, an answer ${what}`);
  const survived = visits.filter((visit) => wentOn(evidence, visit) === true);
  if (survived.length === 0) return unseen("the exit code of COMMAND would tell; give COMMAND");
  return pass(`the client went on after ${survived.map(named).join(", ")}`);
}

/** The rules about what may be added to an answer, or left out. */
export const toleranceRules: readonly ClientRule[] = [
  {
    id: "newer-members",
    level: "advice",
    rule: "Members that the client does not know are ignored",
    expected: "the client goes on",
    why: "New members may be added to every answer at any time; that does not make a new version of the contract.",
    advice: "Read the members that you need, and do not refuse the others.",
    run: (evidence) => judgeTolerance(evidence, "new-member", "with an unknown member"),
  },
  {
    id: "deprecation",
    level: "RFC",
    rule: "Deprecation and Sunset do not stop the client",
    expected: "the client goes on",
    why: "Deprecation (RFC 9745) and Sunset (RFC 8594) announce an end: until that day the answer is right.",
    advice: "Log the two headers, so that somebody looks, and use the answer.",
    run: (evidence) => judgeTolerance(evidence, "deprecated", "with Deprecation and Sunset"),
  },
  {
    id: "absent-members",
    level: contractOf(["exchange", "business", "ramp"], "advice"),
    rule: "Optional members may be absent",
    expected: "the client goes on",
    why: "Members that have nothing to say are absent, never null: a client that reads one without looking fails on some record.",
    advice: "Treat an absent member as unknown, never as zero.",
    run: (evidence) => judgeTolerance(evidence, "absent-member", "without optional members"),
  },
];

const NO_COPY = "the client showed no amounts: print them, post them to /understood, or give --copy";

const escaped = (text: string): string => text.replaceAll(".", "\\.");

/** A pattern of a text; of an amount, in every spelling that keeps its value, such as 1.50, 01.5 and 1.5e0 for 1.5. */
function spellingsOf(text: string): string {
  const [, whole, first = "", more = "", decimals] = /^((\d)(\d*))\.(\d*[1-9])$/.exec(text) ?? [];
  if (whole === undefined) return escaped(text);
  const power = `${first}\\.${more}${decimals}0*[eE]\\+?0*${more.length}`;
  return `(?:0*${whole}\\.${decimals}0*|${power})`;
}

/** How often a text stands in the copy by itself, and not as a part of a longer number or word. */
export const countOf = (copy: string, text: string): number =>
  copy.match(new RegExp(`(?<![\\w.])${spellingsOf(text)}(?![\\w]|\\.\\d)`, "g"))?.length ?? 0;

/** Digits that every way of losing some keeps. */
const KEPT_LENGTH = 11;

/** A number in the copy that begins like an amount; undefined when there is none. */
export const likeness = (copy: string, amount: string): string | undefined =>
  new RegExp(`(?<![\\w.])${escaped(amount.slice(0, KEPT_LENGTH))}[\\d.]*`).exec(copy)?.[0];

/** Whether a text is an amount, as every amount of the check is spelled. */
export const isAmount = (text: string): boolean => /^\d+\.\d+$/.test(text);

function judgeDigits({ visits, copy }: Evidence): Observation {
  const amounts = new Set(visits.flatMap(({ texts }) => Object.values(texts).flat()).filter(isAmount));
  let kept = 0;
  for (const amount of amounts) {
    if (countOf(copy, amount) > 0) {
      kept += 1;
      continue;
    }
    const seen = likeness(copy, amount);
    if (seen !== undefined) return fail(`${amount} became ${seen}`);
  }
  return kept === 0 ? unseen(NO_COPY) : pass(`${kept} amounts with all their digits`);
}

/** The requests of listings that were read to their end. */
function readListings({ visits }: Evidence): Visit[] {
  const isRead = ({ run, endpoint, step }: Visit) =>
    visits.some(
      (last) =>
        last.run === run &&
        last.endpoint === endpoint &&
        last.step?.act === step?.act &&
        last.step?.isLast === true &&
        last.status === 200,
    );
  return visits.filter((visit) => isOfListing(visit) && isRead(visit));
}

/** The count that most texts have. */
function usual(counts: readonly number[]): number {
  const groups = Map.groupBy(counts, (count) => count);
  return [...groups.entries()].sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? 0;
}

/** A client shows some of these of each record. */
const COLUMNS = ["data[].tid", "data[].p", "data[].q", "id", "legs[].amount", "legs[].balance"] as const;

function judgeComplete(evidence: Evidence): Observation {
  const pages = readListings(evidence);
  let judged = 0;
  for (const column of COLUMNS) {
    const texts = new Set(pages.flatMap((page) => page.texts[column] ?? []));
    const cells = [...texts].map((text) => ({ text, count: countOf(evidence.copy, text) }));
    const expected = usual(cells.map(({ count }) => count));
    if (expected === 0) continue;
    judged += cells.length;
    const wrong = cells.find(({ count }) => count !== expected);
    if (wrong !== undefined)
      return fail(`${wrong.text} is in the copy ${wrong.count} times, and most are there ${expected} times`);
  }
  return judged === 0 ? unseen(NO_COPY) : pass(`${judged} ids and amounts`);
}

/** The rules about what the client made of the answers. */
export const copyRules: readonly ClientRule[] = [
  {
    id: "digits",
    rule: "Every amount keeps its digits",
    expected: "amounts as they were sent",
    why: "A record has the amount that was sent (contract), which may have 38 digits. A double holds 15 to 17: a client that parses amounts as numbers changes them.",
    advice:
      "JavaScript: JSON.parse with a reviver that takes the source of a number. Python: json.loads(text, parse_float=Decimal).",
    run: judgeDigits,
  },
  {
    id: "copy-complete",
    rule: "No record of a listing is lost or doubled",
    expected: "each record as often as the others",
    why: "A listing has each record once (contract): pages that were empty, cut off or repeated, and windows that overlap, must leave no trace in the records.",
    advice: "Take the records of a page once its whole body was read, and each id once.",
    interfaces: listings,
    run: judgeComplete,
  },
];
