import { isSamePass } from "./content-rules.ts";
import { NotObservable, type Rule, readCurrent } from "./rule.ts";

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
      const { reference } = subject.plan;
      const now = await subject.wallet.get({ reference });
      if (now.status === 200 && now.body === before.body)
        throw new NotObservable("the command changed nothing");
      const after = await subject.wallet.get({ reference, headers: { "If-None-Match": before.tag } });
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
    },
  },
];
