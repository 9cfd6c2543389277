import { observe, onceAnswered, type Rule } from "./rule.ts";

/** A version that is refused, and why. */
interface RefusedVersion extends Pick<Rule, "id" | "rule"> {
  /** The header's value, by the version that is implemented; undefined for none. */
  readonly versionOf: (implemented: string) => string | undefined;
  readonly whyOf: (versionHeader: string) => string;
}

/** What no server implements, by what is wrong with it. */
export const refusedVersions: readonly RefusedVersion[] = [
  {
    id: "400-version",
    rule: "A version that is not implemented is refused",
    versionOf: () => "2999-01-01",
    whyOf: () => "A version that the partner does not implement is answered with 400 (contract, Rules 4).",
  },
  {
    id: "400-old-version",
    rule: "A version of before the contract is refused",
    versionOf: () => "1999-01-01",
    whyOf: () =>
      "A version that the partner does not implement is answered with 400 (contract, Rules 4): one that is older than all of them is none of them.",
  },
  {
    id: "400-longer-version",
    rule: "A version with something behind it is refused",
    versionOf: (implemented) => `${implemented}x`,
    whyOf: () =>
      "A version has the form YYYY-MM-DD (contract, Versioning): what only begins with one that is implemented names none.",
  },
  {
    id: "400-no-version",
    rule: "A request without a version is refused",
    versionOf: () => undefined,
    whyOf: (versionHeader) =>
      `${versionHeader} is required (contract, Retrieve a pass): without it nobody knows which contract is meant.`,
  },
  {
    id: "400-not-a-version",
    rule: "A version that is no date is refused",
    versionOf: () => "latest",
    whyOf: () =>
      "A version has the form YYYY-MM-DD (contract, Versioning): another text names none that is implemented.",
  },
];

/** Which contract versions are answered, by the name of the header that carries them. */
export const versionRules = (versionHeader: string): readonly Rule[] =>
  refusedVersions.map(({ id, rule, versionOf, whyOf }) =>
    onceAnswered({
      id,
      rule,
      expected: "400",
      why: whyOf(versionHeader),
      run: ({ wallet, plan: { reference } }) =>
        observe(wallet, { reference, headers: { [versionHeader]: versionOf(wallet.version) } }, 400),
    }),
  );
