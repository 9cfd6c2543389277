import { execFile } from "node:child_process";
import { globSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { SHIFTS } from "../../infra/settings/release.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { runWithStubs, type StubCall } from "../support/stub-commands.ts";

const deployment = readFileSync("docs/deployment.md", "utf8");
const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

/** The parts of every workflow: what holds for all of its jobs, under the file's name, and each job. */
const parts = readdirSync(".github/workflows").flatMap((file) => {
  const [all = "", jobs = ""] = readFileSync(join(".github/workflows", file), "utf8").split(/^jobs:\n/m);
  const named = jobs.split(/^(?= {2}[\w-]+:\n)/m).filter((text) => /^ {2}\w/.test(text));
  return [
    [file, all] as const,
    ...named.map((text) => [`${file} ${text.split(":")[0]?.trim()}`, text] as const),
  ];
});

/** The text of a job without comments. */
const jobOf = (name: string): string => new Map(parts).get(name)?.replaceAll(/(?:^ *| )# .*/gm, "") ?? "";

/** The job that may ask for the token of a role. */
const TOKEN_JOB = "deploy.yml deploy";
const tokenJob = new Map(parts).get(TOKEN_JOB) ?? "";
/** The job that may ask npm and GitHub for tokens. */
const RELEASE_JOB = "release.yml publish";

/** The steps of a job with a script, by their names. */
const scriptsOf = (job: string): ReadonlyMap<string, string> =>
  new Map(
    [...job.matchAll(/ {6}- (?:name: (.*)\n(?: {8}.*\n)*? {8})?run: (?:\|\n((?: {10}.*\n?)+)|(.*))/g)].map(
      ([, name = "", block, line = ""]) => [name, block?.replaceAll(/^ {10}/gm, "") ?? line],
    ),
  );
const scripts = scriptsOf(tokenJob);

const ALARM = "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:countinghouse-prod-release";

/** The calls of a step, for a stage with or without an alarm. */
async function callsOf(script: string, alarm = ALARM, unguarded = "false"): Promise<readonly StubCall[]> {
  const { calls } = await runWithStubs(script, {
    shell: "bash",
    stubs: ["aws", "cdk", "node", "npm"],
    answers: unguarded === "true" ? [] : [`${alarm}\n`],
    environment: { STAGE: "prod", UNGUARDED: unguarded, GITHUB_PATH: "/dev/null" },
    alone: true,
  });
  return calls;
}

test("workflows name no file of the project that is not there", () => {
  const named = parts.flatMap(([, text]) =>
    Array.from(
      text.matchAll(/(?<=[\s"'/[])(?:(?:base|head)\/|(?=(?:\.ci|docs|infra|ops|publish|test)\/))[\w.*$/-]+/g),
      ([path]) => path.replace(/^(?:base|head)\//, "").replace("$stage", "*"),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !/node_modules|\.tgz$/.test(path) && globSync(path).length === 0)).toEqual(
    [],
  );
});

test("a template is compared with that of one stack, which the command line asks for", () => {
  const [, compare = ""] = parts.find(([name]) => name === "template-changes.yml compare") ?? [];
  expect(compare.match(/cdk diff .*/g)).toEqual([expect.stringMatching(/--exclusively .*--template /)]);
});

test("every action is pinned by its whole commit, with its version, and each in one version everywhere", () => {
  const used = parts.flatMap(([, text]) =>
    Array.from(text.matchAll(/uses: *(.*)/g), ([, action = ""]) => action),
  );
  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  expect(new Set(used).size).toBe(new Set(used.map((action) => action.split("@")[0])).size);
});

test("no workflow has a password or a token that lasts, and each job has the rights that it names alone", () => {
  for (const [name, text] of parts)
    expect([name, text]).toEqual([name, expect.not.stringContaining("secrets.")]);
  const writing = parts.flatMap(([name]) =>
    Array.from(jobOf(name).matchAll(/([\w-]+): write$|write-all/gm), ([, right]) => [name, right]),
  );
  expect(parts.length).toBeGreaterThan(10);
  expect(writing).toEqual([
    [TOKEN_JOB, "id-token"],
    ...["attestations", "contents", "id-token", "packages"].map((right) => [RELEASE_JOB, right]),
  ]);
});

describe("the token of a role", () => {
  test("is out of reach of others' code: that job runs three actions, one package by a lock of its own, aws and a script of ours", async () => {
    const actions = [...tokenJob.matchAll(/uses: (.*)@[0-9a-f]{40} # v/g)].map(([, name]) => name);
    expect(actions).toEqual([
      "actions/checkout",
      "actions/download-artifact",
      "aws-actions/configure-aws-credentials",
    ]);
    expect([tokenJob.match(/uses:/g)?.length, tokenJob.match(/run:/g)?.length]).toEqual([3, scripts.size]);
    const calls = (await Promise.all([...scripts.values()].map((script) => callsOf(script)))).flat();
    const [deploys, others] = [true, false].map((isDeploy) =>
      calls.filter(([program]) => (program === "cdk") === isDeploy),
    );
    expect(others?.map((call) => call.slice(0, 5).join(" "))).toEqual([
      "npm ci --ignore-scripts --prefix infra/cli",
      "node infra/cli/check-build.mjs cdk.out",
      expect.stringMatching(/^aws cloudformation set-stack-policy /),
      expect.stringMatching(/^aws cloudwatch describe-alarms /),
    ]);
    expect(deploys).toHaveLength(3);
    for (const call of deploys ?? [])
      expect(call.slice(0, 5)).toEqual(["cdk", "deploy", "--app", "cdk.out", "--exclusively"]);
  });

  test("is asked for where no file of the project says what to run", () => {
    const [, checkedOut = ""] = /sparse-checkout: \|\n((?: {12}.*\n)+)/.exec(tokenJob) ?? [];
    expect(checkedOut.trim().split(/\s+/)).toEqual(["/infra/cli/", "/infra/stack-policy.json"]);
    expect(tokenJob).toContain("sparse-checkout-cone-mode: false");
    expect(readdirSync("infra/cli").filter((name) => name !== "node_modules")).toEqual([
      "check-build.mjs",
      "package-lock.json",
      "package.json",
    ]);
  });

  test("is near one package only, the CDK's command line that everybody else has", () => {
    const { packages } = readJson("infra/cli/package-lock.json");
    const { version, integrity } = readJson("package-lock.json").packages["node_modules/aws-cdk"];
    expect(Object.keys(packages)).toEqual(["", "node_modules/aws-cdk"]);
    expect(packages["node_modules/aws-cdk"]).toMatchObject({ version, integrity });
    expect(readJson("infra/cli/package.json").dependencies).toEqual({ "aws-cdk": version });
  });

  test("opens the role of docs/deployment.md to that job on main alone", () => {
    const [, trust = "{}"] =
      /^```json\n(\{\n {2}"Effect": "Allow",\n {2}"Principal": \{ "Federated".*?)^```$/ms.exec(deployment) ??
      [];
    const claim = (name: string) => `token.actions.githubusercontent.com:${name}`;
    const [file] = TOKEN_JOB.split(" ");
    expect(JSON.parse(trust).Condition).toEqual({
      StringEquals: {
        [claim("aud")]: "sts.amazonaws.com",
        [claim("sub")]: "repo:<organization>/<repository>:environment:<name>",
        [claim("ref")]: "refs/heads/main",
        [claim("job_workflow_ref")]: `<organization>/<repository>/.github/workflows/${file}@refs/heads/main`,
      },
    });
  });

  test("lasts as long as the slowest release, its watch and an hour for the rest, and so does the job", () => {
    const [watched, session, job] = [
      /--monitoring-time-minutes (\d+)/,
      /role-duration-seconds: (\d+)/,
      /timeout-minutes: (\d+)/,
    ].map((pattern) => Number(pattern.exec(tokenJob)?.[1]));
    const slowest = Math.max(
      ...SHIFTS.map((shift) => {
        const [, way, minutes] = /^(Canary10Percent|Linear10PercentEvery)(\d+)Minutes?$/.exec(shift) ?? [];
        return Number(minutes) * (way === "Linear10PercentEvery" ? 10 : 1);
      }),
    );
    const needed = slowest + (watched ?? 0) + 60;
    expect(job).toBeGreaterThanOrEqual(needed);
    expect(session).toBeGreaterThanOrEqual(needed * 60);
    expect(Number(/--max-session-duration (\d+)/.exec(deployment)?.[1])).toBe(session);
  });
});

describe("a build that was made among others' code", () => {
  /** What the check says of a build with a list of assets and more artifacts, in lines. */
  async function saidOf(
    assets: object,
    artifacts: object = {},
    { file = "stack.assets.json", link }: { readonly file?: string; readonly link?: string } = {},
  ): Promise<string[]> {
    const directory = scratchDirectory();
    const stack = { type: "aws:cloudformation:stack", additionalMetadataFile: "stack.metadata.json" };
    const list = { type: "cdk:asset-manifest", properties: { file } };
    const files = {
      "manifest.json": { artifacts: { stack, list, ...artifacts } },
      "stack.metadata.json": { "/a": [{ type: "aws:cdk:logicalId", data: "A" }] },
      "stack.assets.json": assets,
    };
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(directory, name), JSON.stringify(content));
    if (link !== undefined) symlinkSync(link, join(directory, "linked"));
    return await promisify(execFile)(process.execPath, ["infra/cli/check-build.mjs", directory]).then(
      () => [],
      ({ stderr }: { readonly stderr: string }) => stderr.trim().split("\n"),
    );
  }

  test("passes with files and folders of its own", async () => {
    const source = { path: "asset.1", packaging: "zip" };
    expect(await saidOf({ files: { one: { source } }, dockerImages: {} })).toEqual([]);
  });

  test("is refused for each thing that the command line would run, or would read elsewhere", async () => {
    const files = {
      one: { source: { executable: ["sh"] } },
      two: { source: { path: "/proc/self/environ", packaging: "file" } },
      three: { source: { path: "..", packaging: "zip" } },
    };
    const old = { type: "aws:cdk:asset", data: { id: "five" } };
    const artifacts = {
      other: { type: "aws:cloudformation:stack", metadata: { "/a": [old] } },
      stage: { type: "cdk:cloud-assembly" },
    };
    expect(await saidOf({ files, dockerImages: { four: {} } }, artifacts)).toEqual([
      "stack.assets.json: four is an image.",
      ...["one", "two", "three"].map(
        (id) => `stack.assets.json: ${id} is not a plain file or folder of the build.`,
      ),
      "five is an asset outside of any list.",
      "stage is a build within the build.",
    ]);
    expect(await saidOf({}, {}, { link: "/proc/self" })).toEqual(["linked is a link."]);
    expect(await saidOf({}, {}, { file: "../stack.assets.json" })).toContainEqual(
      expect.stringContaining("../stack.assets.json is not a file of the build."),
    );
  });
});

describe("the workflow that releases", () => {
  const steps = (job: string) => [...scriptsOf(jobOf(`release.yml ${job}`))];
  const stepOf = (job: string, name: string) => steps(job).find(([step]) => step.startsWith(name))?.[1] ?? "";
  const running = { shell: "bash", alone: true } as const;
  const environment = {
    GITHUB_REF_NAME: "v1.2.3",
    GITHUB_REPOSITORY: "Some/Name",
    GITHUB_OUTPUT: "/dev/null",
  };

  test("refuses a tag that is not the version of both packages", async () => {
    const refusal = (versions: string) =>
      runWithStubs(stepOf("build", "Refuse a tag"), {
        ...running,
        stubs: ["grep", "jq"],
        answers: ["", versions],
        environment,
      });
    await refusal("1.2.3\n1.2.3\n");
    for (const versions of ["1.2.3\n1.2.2\n", "1.2.4\n1.2.3\n"])
      await expect(refusal(versions)).rejects.toThrow();
  });

  test("publishes for a tag alone, in an environment, by a job that runs nothing of the project's", async () => {
    const publish = jobOf(RELEASE_JOB);
    expect(publish).toContain("if: github.event_name == 'push'\n");
    expect(publish).toContain("environment: release\n");
    expect(parts.find(([name]) => name === "release.yml")?.[1]).toContain('push:\n    tags: ["v*"]\n');
    expect(Array.from(publish.matchAll(/uses: (.*)@/g), ([, action]) => action)).toEqual([
      "actions/setup-node",
      "actions/download-artifact",
      "actions/attest",
      "actions/attest",
    ]);
    const scripts = steps("publish");
    expect(scripts).toHaveLength(publish.match(/run:/g)?.length ?? 0);
    const stubs = ["docker", "gh", "jq", "npm", "tar"];
    const runs = scripts.map(([, script]) =>
      runWithStubs(script, { ...running, stubs, answers: [], environment }),
    );
    const called = (await Promise.all(runs)).flatMap(({ calls }) =>
      calls.map(([one, verb]) => `${one} ${verb}`),
    );
    expect(called.filter((call) => !/^(?:docker|tar|jq) /.test(call))).toEqual(["npm view", "gh release"]);
  });

  test("builds without credentials, and everything twice", () => {
    expect(jobOf("release.yml build")).toContain("persist-credentials: false\n");
    expect(jobOf("release.yml build")).toContain("npm ci --ignore-scripts\n");
    expect(stepOf("build", "Build both packages twice")).toMatch(
      /for folder in again release; do\n(?: .*\n)+done\ndiff --recursive again release\s*$/,
    );
  });

  test("attests the image by the digest that the registry has for it", async () => {
    const outputs = join(scratchDirectory(), "outputs");
    const { calls } = await runWithStubs(stepOf("publish", "Push the image"), {
      ...running,
      stubs: ["docker"],
      answers: ["", "", "", "", "sha256:abc\n"],
      environment: { ...environment, GITHUB_OUTPUT: outputs },
    });
    expect(calls.map(([, ...words]) => words.slice(0, 4).join(" "))).toEqual([
      "login ghcr.io --username ",
      "load --input image.tar.gz",
      "tag countinghouse ghcr.io/some/name:v1.2.3",
      "push ghcr.io/some/name:v1.2.3",
      "buildx imagetools inspect ghcr.io/some/name:v1.2.3",
    ]);
    expect(readFileSync(outputs, "utf8")).toBe("name=ghcr.io/some/name\ndigest=sha256:abc\n");
    expect(jobOf(RELEASE_JOB)).toContain("subject-digest: ${{ steps.image.outputs.digest }}");
  });

  test("gives each package to npm with its provenance, and runs no script of it", () => {
    const script = stepOf("publish", "Publish the packages");
    expect(script).toContain('npm publish "./$package" --access public --provenance --ignore-scripts');
  });
});

/** The deployment that a step starts. */
const deploymentOf = async (
  step: string,
  ...stage: [alarm: string, unguarded: string]
): Promise<StubCall> => {
  const [, script = ""] = [...scripts].find(([name]) => name.startsWith(step)) ?? [];
  return (await callsOf(script, ...stage)).find(([command]) => command === "cdk") ?? [];
};

const triggersOf = (deployment: StubCall): readonly string[] =>
  deployment.slice(deployment.indexOf("--rollback-trigger-alarm-arns") + 1);

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
