import { type Finding, NEEDS, NotObservable, type Observation, type Rule, runRules } from "../checks/rule.ts";
import { NoAnswer } from "../wallet/http-exchange.ts";
import { StillBusy } from "../wallet/wallet.ts";
import { burstRules } from "./burst-rules.ts";
import { againRule, contentRules } from "./content-rules.ts";
import { credentialRules } from "./credential-rules.ts";
import { curlOf } from "./curl-of-request.ts";
import { orderRules } from "./order-rules.ts";
import { absenceRules, echoRules, versionRules } from "./status-rules.ts";
import { needed, type PassRule, requireAnswered, type Seen, type Subject } from "./subject.ts";
import { changeRule, conditionRules, keptTagRule } from "./tag-rules.ts";

/** Every rule for a pass endpoint that can be seen from outside, in the order of the checks. */
export const passRules: readonly PassRule[] = [
  ...contentRules,
  ...conditionRules,
  ...versionRules,
  ...credentialRules,
  ...absenceRules,
  ...orderRules,
  againRule,
  ...echoRules,
  keptTagRule,
  changeRule,
  ...burstRules,
];

/** Checks a server against rules. A rule is broken when the server gives no answer, and is not checked when it is busy. */
export const checkPass = (
  rules: readonly PassRule[],
  subject: Subject,
  report?: (finding: Finding) => void,
): Promise<Finding[]> =>
  runRules(rules.map(withNeeds), subject, {
    isStrict: subject.plan.isStrict,
    ...(report !== undefined && { report }),
  });

/** A rule that needs what it needs, and shows how to see its breach. */
const withNeeds = (rule: PassRule): Rule<Subject> => ({
  ...rule,
  run: async (subject) => {
    const missing = rule.needs?.find((option) => !needed[option](subject));
    if (missing !== undefined) throw new NotObservable(`${NEEDS}${missing}`);
    try {
      if (rule.needsPass) await requireAnswered(subject);
      const observed = await rule.run(subject);
      return observed.holds ? observed : broken(rule, observed, subject);
    } catch (error) {
      if (error instanceof StillBusy) throw new NotObservable(error.message);
      if (error instanceof NoAnswer)
        return broken(rule, { holds: false, seen: `no answer (${error.message})` }, subject);
      throw error;
    }
  },
});

function broken(rule: PassRule, { seen, shownBy }: Seen, subject: Subject): Observation {
  const { lastSent } = subject.wallet;
  const requests = shownBy ?? (lastSent === undefined ? [] : [lastSent]);
  const line = requests.map((request) => curlOf(request, subject)).join("; ");
  if (line === "") return { holds: false, seen };
  const { burst } = subject.plan;
  const isAtOnce = rule.isBurst === true && burst > 0;
  return { holds: false, seen, curl: isAtOnce ? `for i in $(seq ${burst}); do ${line} & done; wait` : line };
}
