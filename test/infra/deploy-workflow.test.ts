import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runWithStubs, type StubCall } from "../support/stub-commands.ts";

const workflow = readFileSync(".github/workflows/deploy.yml", "utf8");

/** The script of the step whose name begins so. */
function scriptOf(name: string): string {
  const [, rest = ""] = workflow.split(`- name: ${name}`);
  const [, block = ""] = /run: \|\n((?: {10}.*\n?)+)/.exec(rest) ?? [];
  return block.replaceAll(/^ {10}/gm, "");
}

const ALARM = "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:countinghouse-prod-release";

/** The deployment that a step starts, for a stage with or without an alarm. */
async function deploymentOf(step: string, alarm: string, unguarded: "false" | "true"): Promise<StubCall> {
  const { calls } = await runWithStubs(scriptOf(step), {
    shell: "bash",
    stubs: ["aws", "npx"],
    answers: unguarded === "true" ? [] : [`${alarm}\n`],
    environment: { STAGE: "prod", UNGUARDED: unguarded },
  });
  return calls.find(([command]) => command === "npx") ?? [];
}

const triggersOf = (deployment: StubCall): readonly string[] =>
  deployment.slice(deployment.indexOf("--rollback-trigger-alarm-arns") + 1);

test("a job that may ask for a role's token runs no script of a package that it installs", () => {
  const [before, deploy = ""] = workflow.split(/^ {2}deploy:$/m);
  expect(before).not.toContain("id-token");
  expect(deploy).toContain("id-token: write");
  const installs = [...deploy.matchAll(/npm (?:ci|install|i|exec).*/g)].map(([line]) => line);
  expect(installs).toEqual(["npm ci --ignore-scripts"]);
});

describe("the workflow that deploys", () => {
  const step = "Deploy the domains and the API";

  test("names the alarm that takes the API back, and watches it for ten minutes", async () => {
    const deployment = await deploymentOf(step, ALARM, "false");
    expect(triggersOf(deployment)).toEqual([ALARM, "--monitoring-time-minutes", "10"]);
  });

  test("clears the alarm of an earlier deployment where the stage has no alarm", async () => {
    expect(triggersOf(await deploymentOf(step, "", "false"))).toEqual(["none"]);
  });

  test("clears it when somebody deploys while the alarm rings, and asks for no alarm then", async () => {
    expect(triggersOf(await deploymentOf(step, ALARM, "true"))).toEqual(["none"]);
  });

  test("gives the alarm to the domains and the API alone, so no other stack is held up by it", async () => {
    const deployment = await deploymentOf(step, ALARM, "false");
    expect(deployment).toEqual(expect.arrayContaining(["--exclusively", "countinghouse-prod-{domains,api}"]));
    for (const other of ["Deploy the data", "Deploy the alarms"])
      expect(await deploymentOf(other, ALARM, "false")).not.toContain("--rollback-trigger-alarm-arns");
  });
});
