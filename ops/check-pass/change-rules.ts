import { isSamePass } from "./content-rules.ts";
import { type Current, lookAgain, type Observation, type Rule, readCurrent, type Subject } from "./rule.ts";

/** The time that a server gets to bring a change to all its replicas before it is asked again. */
const SETTLE_MS = 1_000;
/** The most looks at a change, {@link SETTLE_MS} apart. */
const SETTLE_LOOKS_MAX = 3;

/** The answer to a plain request once the pass has changed. @throws {NotObservable} when it does not change. */
const readChanged = (subject: Subject, before: Current) =>
  lookAgain(
    async () => {
      const now = await subject.wallet.get({ reference: subject.plan.reference });
      if (now.status !== 200 || now.body !== before.body) return now;
      await subject.wallet.wait(SETTLE_MS);
      return undefined;
    },
    "the command changed nothing",
    SETTLE_LOOKS_MAX,
  );

/** The answer after a change to a request with the tag from before the change. */
async function askWithOldTag(subject: Subject, before: Current): Promise<Observation> {
  const { wallet, plan } = subject;
  const now = await readChanged(subject, before);
  const headers = { "If-None-Match": before.tag };
  const after = await wallet.get({ reference: plan.reference, headers });
  const hasNewTag = after.headers.etag !== undefined && after.headers.etag !== before.tag;
  const hasNewBody = after.status === 200 && after.body !== before.body;
  // With a third tag the pass has changed again, and there is no body to compare with.
  const { etag = "" } = now.headers;
  const isWhole = after.headers.etag !== etag || isSamePass(after.body, now.body, etag);
  const body = hasNewBody ? (isWhole ? "another" : "not the whole") : "no new";
  return {
    holds: hasNewBody && hasNewTag && isWhole,
    seen: `${after.status}, ${body} body, ${hasNewTag ? "another" : "no new"} ETag`,
  };
}

/** The rules about a change of the pass. */
export const changeRules: readonly Rule[] = [
  {
    id: "200-after-change",
    level: "contract",
    rule: "A changed pass is answered whole, with a new tag",
    expected: "200, another body, another ETag",
    why: "A changed pass is answered with 200, the full pass and a new ETag (contract, Rules 3).",
    lacks: ({ plan }) => (plan.change === undefined ? "--changed-by" : undefined),
    run: async (subject) => {
      const before = await readCurrent(subject);
      await subject.plan.change?.();
      let observation = await askWithOldTag(subject, before);
      for (let looks = 1; looks < SETTLE_LOOKS_MAX && !observation.holds; looks++) {
        await subject.wallet.wait(SETTLE_MS);
        observation = await askWithOldTag(subject, before);
      }
      return observation;
    },
  },
];
