import type { SentRequest } from "../wallet/wallet.ts";
import {
  type Current,
  currentIn,
  lastSent,
  NotObservable,
  type Observation,
  type Rule,
  readEarliest,
  type Subject,
} from "./rule.ts";

/** How old a tag is at least when it is sent again. Tags that are made of the time change within a second or two. */
const AGE_MS = 2_100;
/** A pass that changes so often meanwhile is not judged. */
const CHANGES_MAX = 3;
/** A tag may be lost once, as at midnight or with a deployment. How often, and after what pause, it is sent again then. */
const LOOKS_AFTER_LOSS = 5;
const LOOK_MS = 1_000;

/** The answer to a tag of the pass: undefined for a 304, or else the pass as it is now. */
async function askAgain({ wallet, plan }: Subject, { tag }: Current): Promise<Current | undefined> {
  const response = await wallet.get({ reference: plan.reference, headers: { "If-None-Match": tag } });
  if (response.status === 304) return undefined;
  const now = currentIn(response);
  if (now.tag === tag) throw new NotObservable("no 304 for the current tag");
  return now;
}

/**
 * The answer to the first tag of the pass, once it is old enough: undefined for a 304, or else the same pass under another
 * tag. A pass that has changed meanwhile has a new first tag. @throws {NotObservable}
 */
async function askWithFirstTag(subject: Subject): Promise<Current | undefined> {
  let known = await readEarliest(subject);
  for (let changes = 0; changes <= CHANGES_MAX; changes++) {
    await subject.wallet.wait(Math.max(0, known.answeredAt + AGE_MS - subject.wallet.clock()));
    const now = await askAgain(subject, known);
    if (now === undefined || now.body === known.body) return now;
    known = now;
  }
  throw new NotObservable("the pass changed meanwhile, each time");
}

/** Follows a pass whose tag was lost once, until the next tag is lost as well or has been kept for some looks. */
async function followLoss(subject: Subject, lost: SentRequest, after: Current): Promise<Observation> {
  for (let looks = 0; looks < LOOKS_AFTER_LOSS; looks++) {
    const now = await askAgain(subject, after);
    if (now !== undefined && now.body !== after.body) throw new NotObservable("the pass changed meanwhile");
    if (now !== undefined)
      return {
        holds: false,
        seen: "200, the same body and another ETag, again and again",
        shownBy: [lost, lastSent(subject.wallet)],
      };
    await subject.wallet.wait(LOOK_MS);
  }
  return { holds: true, seen: "another ETag once, and then the same" };
}

/**
 * The rule that a tag lasts as long as its pass. Whether the pass has changed meanwhile is decided by its body: a tag of
 * the time, of a counter or of a random number would say that it always has. It comes late, so that time goes by between
 * the first answer and the last.
 */
export const keptTagRule: Rule = {
  id: "etag-stable",
  level: "contract",
  rule: "The tag of an unchanged pass stays the same",
  expected: "304 for the first tag, as long as the body is the same",
  why: "A tag stands for a state of the pass, and is answered with 304 as long as the pass is unchanged (contract, Entity tag, Rules 2): if it changes by itself, no poll ends in a 304.",
  run: async (subject) => {
    const now = await askWithFirstTag(subject);
    if (now === undefined) return { holds: true, seen: "304" };
    return followLoss(subject, lastSent(subject.wallet), now);
  },
};
