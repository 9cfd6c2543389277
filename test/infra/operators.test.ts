import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeIn, sectionsOf } from "../support/markdown.ts";
import { resourcesOf, sorted, synthesize, testStage } from "../support/synthesize.ts";
import { everySetting } from "../support/three-stages.ts";

/** IAM's quota for the characters of a managed policy, without white space. */
const POLICY_LENGTH_MAX = 6_144;

test("the policies of a stage with every setting fit IAM's quota, also with the longest names that there are", () => {
  const name = "a".repeat(20);
  const inGovCloud = JSON.stringify(everySetting)
    .replaceAll("arn:aws:", "arn:aws-us-gov:")
    .replaceAll("eu-west-1", "us-gov-west-1")
    .replaceAll("countinghouse-test-", `countinghouse-${name}-`);
  const { domains, ...settings } = JSON.parse(inGovCloud) as typeof everySetting;
  // The bucket of a truststore would leave a name fewer letters.
  const { operators } = synthesize(testStage({ ...settings, name, domains: { open: domains.open } }));
  const policies = resourcesOf(operators, "AWS::IAM::ManagedPolicy");
  const lengths = policies.map(({ Properties }) => JSON.stringify(Properties.PolicyDocument).length);
  expect(Math.max(...lengths)).toBeLessThan(POLICY_LENGTH_MAX);
});

test("docs/deployment.md has a row for each policy that the operators' stack tells", () => {
  const { Outputs = {} } = synthesize(testStage()).operators;
  const rows = sectionsOf(readFileSync("docs/deployment.md", "utf8")).flatMap(({ tables }) => tables.flat());
  const told = rows.flatMap(({ policy }) => (policy === undefined ? [] : codeIn(policy)));
  expect(sorted(told)).toEqual(sorted(Object.keys(Outputs)));
});
