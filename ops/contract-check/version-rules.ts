import { observeStatus, onceAnswered, type Rule } from "./rule.ts";

const refusing = (
  id: string,
  rule: string,
  why: string,
  version: string | undefined,
  versionHeader: string,
): Rule =>
  onceAnswered({
    id,
    rule,
    expected: "400",
    why,
    run: ({ wallet, plan }) =>
      observeStatus(wallet, { reference: plan.reference, headers: { [versionHeader]: version } }, 400),
  });

/** Which contract versions are answered, by the name of the header that carries them. */
export const versionRules = (versionHeader: string): readonly Rule[] => [
  refusing(
    "400-version",
    "A version that is not implemented is refused",
    "A version that the partner does not implement is answered with 400 (contract, Rules 4).",
    "2999-01-01",
    versionHeader,
  ),
  refusing(
    "400-no-version",
    "A request without a version is refused",
    `${versionHeader} is required (contract, Retrieve a pass): without it nobody knows which contract is meant.`,
    undefined,
    versionHeader,
  ),
  refusing(
    "400-not-a-version",
    "A version that is no date is refused",
    "A version has the form YYYY-MM-DD (contract, Versioning): another text names none that is implemented.",
    "latest",
    versionHeader,
  ),
];
