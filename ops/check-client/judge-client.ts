import { type Finding, NotObservable, type Rule, runRules } from "../checks/rule.ts";
import { copyRules, tagRules, toleranceRules } from "./rules/answer-rules.ts";
import type { ClientRule, Evidence } from "./rules/client-rule.ts";
import { pageRules, windowRules } from "./rules/listing-rules.ts";
import { endingRules, requestRules } from "./rules/request-rules.ts";
import { troubleRules } from "./rules/trouble-rules.ts";
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

/** The rules of one interface, each with its level there. */
export const rulesOfInterface = (name: InterfaceName): readonly Rule<Evidence>[] =>
  clientRules
    .filter(({ interfaces = interfaceNames }) => interfaces.includes(name))
    .map(({ level = "contract", ...rule }) => ({
      ...rule,
      level: typeof level === "function" ? level(name) : level,
    }));

/** The findings on a client, for one interface. Without a request nothing is checked. */
export function judgeClient(evidence: Evidence, isStrict = false): Promise<Finding[]> {
  const { interfaceName, visits } = evidence;
  const rules = rulesOfInterface(interfaceName).map(
    (rule): Rule<Evidence> => ({
      ...rule,
      id: `${interfaceName}/${rule.id}`,
      rule: `${interfaceName}: ${rule.rule}`,
      run: (seen) => {
        if (visits.length === 0) throw new NotObservable("no request came");
        return rule.run(seen);
      },
    }),
  );
  return runRules(rules, evidence, { isStrict });
}
