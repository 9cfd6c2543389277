import type { Finding } from "../check-pass/check-pass.ts";
import { breachVerdict } from "../check-pass/verdict.ts";
import { type ClientRule, type Evidence, unseen } from "./rules/client-rule.ts";
import { copyRules } from "./rules/copy-rules.ts";
import { endingRules } from "./rules/ending-rules.ts";
import { pageRules } from "./rules/page-rules.ts";
import { requestRules } from "./rules/request-rules.ts";
import { tagRules } from "./rules/tag-rules.ts";
import { toleranceRules } from "./rules/tolerance-rules.ts";
import { troubleRules } from "./rules/trouble-rules.ts";
import { windowRules } from "./rules/window-rules.ts";
import { type InterfaceName, interfaceNames } from "./scene.ts";

/** Every rule about clients, in the order of the report. */
const clientRules: readonly ClientRule[] = [
  ...requestRules,
  ...troubleRules,
  ...endingRules,
  ...pageRules,
  ...windowRules,
  ...tagRules,
  ...toleranceRules,
  ...copyRules,
];

/** The rules of one interface. */
export const rulesOfInterface = (name: InterfaceName): readonly ClientRule[] =>
  clientRules.filter(({ interfaces = interfaceNames }) => interfaces.includes(name));

/** The findings on a client, for one interface. Without a request nothing is checked. */
export function judgeClient(evidence: Evidence, isStrict = false): Finding[] {
  const { interfaceName, visits } = evidence;
  return rulesOfInterface(interfaceName).map((rule) => {
    const { id, rule: name, expected, why, advice } = rule;
    const level = rule.levelOf(interfaceName);
    const about = { id: `${interfaceName}/${id}`, level, rule: `${interfaceName}: ${name}`, expected, why };
    const judgement = visits.length === 0 ? unseen("no request came") : rule.judge(evidence);
    return judgement.verdict === "fail"
      ? { ...about, ...judgement, verdict: breachVerdict(level, isStrict), advice }
      : { ...about, ...judgement };
  });
}
