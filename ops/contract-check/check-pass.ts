import type { Clock } from "../../lib/clock.ts";
import { NoAnswer } from "../wallet/http-exchange.ts";
import { StillBusy } from "../wallet/wallet.ts";
import { absenceRules } from "./absence-rules.ts";
import { burstRules } from "./burst-rules.ts";
import { changeRules } from "./change-rules.ts";
import { conditionRules } from "./condition-rules.ts";
import { contentRules } from "./content-rules.ts";
import { credentialRules } from "./credential-rules.ts";
import { echoRules } from "./echo-rules.ts";
import { NotObservable, type Rule, type Subject } from "./rule.ts";
import { versionRules } from "./version-rules.ts";

export type Verdict = "pass" | "fail" | "not checked";

/** What became of one rule. `seen` says, for a rule that was not checked, what is missing. */
export interface Finding {
  readonly id: string;
  readonly rule: string;
  readonly expected: string;
  readonly seen: string;
  readonly verdict: Verdict;
}

/** Every rule of the pass callback's contract that can be seen from outside, in the order of the checks. */
export const rulesOf = (versionHeader: string, clock: Clock): readonly Rule[] => [
  ...contentRules,
  ...conditionRules,
  ...versionRules(versionHeader),
  ...credentialRules(clock),
  ...absenceRules,
  ...echoRules(versionHeader),
  ...changeRules,
  ...burstRules,
];

/**
 * Checks a server against rules, one after the other, so that none disturbs another, and reports each as soon as it is
 * judged. A rule to which the server gives no answer fails; one to which it only says that it is busy is not checked.
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

async function judge(rule: Rule, subject: Subject): Promise<Finding> {
  const { id, rule: text, expected } = rule;
  const about = { id, rule: text, expected };
  const missing = rule.lacks?.(subject);
  if (missing !== undefined) return { ...about, seen: `needs ${missing}`, verdict: "not checked" };
  try {
    const { holds, seen } = await rule.run(subject);
    return { ...about, seen, verdict: holds ? "pass" : "fail" };
  } catch (error) {
    if (error instanceof NotObservable || error instanceof StillBusy)
      return { ...about, seen: error.message, verdict: "not checked" };
    if (error instanceof NoAnswer) return { ...about, seen: `no answer (${error.message})`, verdict: "fail" };
    throw error;
  }
}
