import { isSamePass } from "./content-rules.ts";
import {
  type Current,
  LOOKS_MAX,
  lookAgain,
  type Observation,
  type Rule,
  readCurrent,
  type Subject,
} from "./rule.ts";

/** How long a server is given to tell all its replicas of a change, before it is asked once more. */
const SETTLE_MS = 1_000;

/** The plain answer once it is another pass. @throws {NotObservable} when it stays what it was. */
const readChanged = (subject: Subject, before: Current) =>
  lookAgain(async () => {
    const now = await subject.wallet.get({ reference: subject.plan.reference });
    if (now.status !== 200 || now.body !== before.body) return now;
    await subject.wallet.wait(SETTLE_MS);
    return undefined;
  }, "the command changed nothing");

/** What is said after a change to whoever has the tag of before it. */
async function askWithOldTag(subject: Subject, before: Current): Promise<Observation> {
  const { wallet, plan } = subject;
  const now = await readChanged(subject, before);
  const headers = { "If-None-Match": before.tag };
  const after = await wallet.get({ reference: plan.reference, headers });
  const hasNewTag = after.headers.etag !== undefined && after.headers.etag !== before.tag;
  const hasNewBody = after.status === 200 && after.body !== before.body;
  // With a third tag the pass has changed once more, and there is nothing to compare with.
  const { etag = "" } = now.headers;
  const isWhole = after.headers.etag !== etag || isSamePass(after.body, now.body, etag);
  const body = hasNewBody ? (isWhole ? "another" : "not the whole") : "no new";
  return {
    holds: hasNewBody && hasNewTag && isWhole,
    seen: `${after.status}, ${body} body, ${hasNewTag ? "another" : "no new"} ETag`,
  };
}

/** What a change of the pass brings about. */
export const changeRules: readonly Rule[] = [
  {
    id: "200-after-change",
    rule: "A changed pass is answered whole, with a new tag",
    expected: "200, another body, another ETag",
    why: "A changed pass is answered with 200, the full pass and a new ETag (contract, Rules 3).",
    lacks: ({ plan }) => (plan.change === undefined ? "--changed-by" : undefined),
    run: async (subject) => {
      const before = await readCurrent(subject);
      await subject.plan.change?.();
      let observation = await askWithOldTag(subject, before);
      for (let looks = 1; looks < LOOKS_MAX && !observation.holds; looks++) {
        await subject.wallet.wait(SETTLE_MS);
        observation = await askWithOldTag(subject, before);
      }
      return observation;
    },
  },
];
