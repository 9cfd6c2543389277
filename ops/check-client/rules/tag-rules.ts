import type { Visit } from "../visit.ts";
import {
  always,
  type ClientRule,
  type Evidence,
  fail,
  type Judgement,
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

/** The rule that no poll has a fault; `isConcerned` says which polls can have it. */
function judgePolls(
  evidence: Evidence,
  isConcerned: (poll: TaggedPoll) => boolean,
  faultOf: (poll: TaggedPoll) => string | undefined,
): Judgement {
  const polls = taggedPolls(evidence).filter(isConcerned);
  if (polls.length === 0) return unseen("no poll of this kind came");
  for (const poll of polls) {
    const fault = faultOf(poll);
    if (fault !== undefined) return fail(`${named(poll.visit)} ${fault}`);
  }
  return pass(`${polls.length} polls`);
}

const ADVICE = "Keep the text of ETag with the pass, and send it in If-None-Match as it is.";

/** The rules about entity tags. */
export const tagRules: readonly ClientRule[] = [
  {
    id: "tag-sent",
    levelOf: always("contract"),
    rule: "A poll sends the tag of the pass that the client has",
    expected: "If-None-Match",
    why: "With the tag, an unchanged pass is a 304 without a body.",
    advice: ADVICE,
    interfaces: ["passes"],
    judge: (evidence) =>
      judgePolls(
        evidence,
        ({ isConfirmed }) => !isConfirmed,
        ({ sent }) => (sent === undefined ? "has no If-None-Match" : undefined),
      ),
  },
  {
    id: "tag-exact",
    levelOf: always("contract"),
    rule: "The tag is sent as it was given",
    expected: "the text of ETag, with its quotes",
    why: "The quotes belong to a tag (RFC 9110 8.8.3): without them it matches nothing, and every poll gets the whole pass.",
    advice: ADVICE,
    interfaces: ["passes"],
    judge: (evidence) =>
      judgePolls(
        evidence,
        ({ sent }) => sent !== undefined,
        ({ sent = "", known }) => (known.includes(sent) ? undefined : `sent ${sent.slice(0, 80)}`),
      ),
  },
  {
    id: "tag-newest",
    levelOf: always("contract"),
    rule: "The tag of a changed pass replaces the one before",
    expected: "the tag of the last 200",
    why: "With an old tag, every poll gets the whole pass again.",
    advice: "Keep the tag of each 200, together with its pass.",
    interfaces: ["passes"],
    judge: (evidence) =>
      judgePolls(
        evidence,
        ({ sent, known }) => sent !== undefined && known.length > 1,
        ({ sent = "", known }) =>
          known.slice(0, -1).includes(sent) && sent !== known.at(-1)
            ? "sent the tag of an older pass"
            : undefined,
      ),
  },
  {
    id: "tag-kept",
    levelOf: always("contract"),
    rule: "The tag is kept after a 304",
    expected: "If-None-Match",
    why: "A 304 says that the pass with this tag is still the current one.",
    advice: "Take tag and pass from a 200 only, and leave both alone at a 304.",
    interfaces: ["passes"],
    judge: (evidence) =>
      judgePolls(
        evidence,
        ({ isConfirmed }) => isConfirmed,
        ({ sent }) => (sent === undefined ? "has no If-None-Match after a 304" : undefined),
      ),
  },
];
