import { observeStatus, onceAnswered, type Rule } from "./rule.ts";

const refusing = (id: string, rule: string, version: string | undefined, versionHeader: string): Rule =>
  onceAnswered({
    id,
    rule,
    expected: "400",
    run: ({ wallet, plan }) =>
      observeStatus(wallet, { reference: plan.reference, headers: { [versionHeader]: version } }, 400),
  });

/** Which contract versions are answered, by the name of the header that carries them. */
export const versionRules = (versionHeader: string): readonly Rule[] => [
  refusing("400-version", "A version that is not implemented is refused", "2999-01-01", versionHeader),
  refusing("400-no-version", "A request without a version is refused", undefined, versionHeader),
  refusing("400-not-a-version", "A version that is no date is refused", "latest", versionHeader),
];
