import type { Clock } from "../../lib/clock.ts";
import { NoAnswer } from "../wallet/http-exchange.ts";
import { type SentRequest, StillBusy } from "../wallet/wallet.ts";
import { absenceRules } from "./absence-rules.ts";
import { againRules } from "./again-rules.ts";
import { burstRules } from "./burst-rules.ts";
import { changeRules } from "./change-rules.ts";
import { conditionRules } from "./condition-rules.ts";
import { contentRules } from "./content-rules.ts";
import { credentialRules } from "./credential-rules.ts";
import { curlOf } from "./curl-of-request.ts";
import { echoRules } from "./echo-rules.ts";
import { keptTagRule } from "./kept-tag-rule.ts";
import { orderRules } from "./order-rules.ts";
import { NotObservable, type Rule, type Subject } from "./rule.ts";
import { breachVerdict, type Level, type Verdict } from "./verdict.ts";
import { versionRules } from "./version-rules.ts";

/** The beginning of `seen` where options are missing; their names follow. */
export const NEEDS = "needs ";

/** The finding on one rule. For a rule that was not checked, `seen` says what was missing. */
export interface Finding {
  readonly id: string;
  readonly level: Level;
  readonly rule: string;
  readonly expected: string;
  readonly seen: string;
  readonly verdict: Verdict;
  readonly why: string;
  /** For a broken rule, a line that reproduces the breach: one curl command, or several where it takes several. */
  readonly curl?: string;
  /** For a broken rule, what its author does about it. */
  readonly advice?: string;
}

/** Every rule for a pass endpoint that can be seen from outside, in the order of the checks. */
export const rulesOf = (versionHeader: string, clock: Clock): readonly Rule[] => [
  ...contentRules,
  ...conditionRules,
  ...versionRules(versionHeader),
  ...credentialRules(clock),
  ...absenceRules,
  ...orderRules(versionHeader, clock),
  ...againRules(versionHeader, clock),
  ...echoRules(versionHeader),
  keptTagRule,
  ...changeRules,
  ...burstRules,
];

/**
 * Checks a server against rules, one after the other, so that none disturbs another, and reports each as soon as it is
 * judged. A rule is broken when the server gives no answer, and is not checked when the server only says that it is busy.
 */
export async function checkPass(
  rules: readonly Rule[],
  subject: Subject,
  report: (finding: Finding) => void = () => {},
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of rules) {
    const finding = await judge(rule, subject);
    report(finding);
    findings.push(finding);
  }
  return findings;
}

/** The findings of a check that could not be made: no rule is checked, each for the same reason. */
export const allUnchecked = (rules: readonly Rule[], reason: string): Finding[] =>
  rules.map((rule) => ({ ...aboutRule(rule), seen: reason, verdict: "not checked" }));

const aboutRule = ({ id, level, rule, expected, why }: Rule): Omit<Finding, "seen" | "verdict"> => ({
  id,
  level,
  rule,
  expected,
  why,
});

async function judge(rule: Rule, subject: Subject): Promise<Finding> {
  const about = aboutRule(rule);
  const missing = rule.lacks?.(subject);
  if (missing !== undefined) return { ...about, seen: `${NEEDS}${missing}`, verdict: "not checked" };
  try {
    const { holds, seen, shownBy } = await rule.run(subject);
    return holds ? { ...about, seen, verdict: "pass" } : broken(rule, seen, subject, shownBy);
  } catch (error) {
    if (error instanceof NotObservable || error instanceof StillBusy)
      return { ...about, seen: error.message, verdict: "not checked" };
    if (error instanceof NoAnswer) return broken(rule, `no answer (${error.message})`, subject);
    throw error;
  }
}

function broken(rule: Rule, seen: string, subject: Subject, shownBy?: readonly SentRequest[]): Finding {
  const { lastSent } = subject.wallet;
  const requests = shownBy ?? (lastSent === undefined ? [] : [lastSent]);
  const line = requests.map((request) => curlOf(request, subject)).join("; ");
  const verdict = breachVerdict(rule.level, subject.plan.isStrict === true);
  const finding = { ...aboutRule(rule), seen, verdict };
  return line === "" ? finding : { ...finding, curl: rule.isBurst ? atOnce(line, subject) : line };
}

const atOnce = (line: string, { plan }: Subject): string =>
  plan.burst > 0 ? `for i in $(seq ${plan.burst}); do ${line} & done; wait` : line;
