import { observe, onceAnswered, type Rule } from "./rule.ts";

/** A version that is refused, and why. */
interface RefusedVersion extends Pick<Rule, "id" | "rule"> {
  /** The header's value, made from the implemented version; undefined for a request without the header. */
  readonly versionOf: (implemented: string) => string | undefined;
  readonly whyOf: (versionHeader: string) => string;
}

/** Versions that no server implements. */
export const refusedVersions: readonly RefusedVersion[] = [
  {
    id: "400-version",
    rule: "A version that is not implemented is refused",
    versionOf: () => "2999-01-01",
    whyOf: () => "A version that the partner does not implement is answered with 400 (contract, Rules 4).",
  },
  {
    id: "400-old-version",
    rule: "A version from before the contract is refused",
    versionOf: () => "1999-01-01",
    whyOf: () =>
      "A version that the partner does not implement is answered with 400 (contract, Rules 4), and no implemented version is so old.",
  },
  {
    id: "400-longer-version",
    rule: "A version with something after it is refused",
    versionOf: (implemented) => `${implemented}x`,
    whyOf: () =>
      "A version has the form YYYY-MM-DD (contract, Versioning): a text that only begins with an implemented version does not name one.",
  },
  {
    id: "400-no-version",
    rule: "A request without a version is refused",
    versionOf: () => undefined,
    whyOf: (versionHeader) =>
      `${versionHeader} is required (contract, Retrieve a pass): without it, the server does not know which contract is meant.`,
  },
  {
    id: "400-not-a-version",
    rule: "A version that is not a date is refused",
    versionOf: () => "latest",
    whyOf: () =>
      "A version has the form YYYY-MM-DD (contract, Versioning): another text does not name an implemented one.",
  },
];

/** The rules about the contract version. @param versionHeader the name of the header that carries it. */
export const versionRules = (versionHeader: string): readonly Rule[] =>
  refusedVersions.map(({ id, rule, versionOf, whyOf }) =>
    onceAnswered({
      id,
      level: "contract",
      rule,
      expected: "400",
      why: whyOf(versionHeader),
      run: ({ wallet, plan: { reference } }) =>
        observe(wallet, { reference, headers: { [versionHeader]: versionOf(wallet.version) } }, 400),
    }),
  );
