import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { INGEST_NAME } from "../../lib/ingest/settings.ts";
import { UPKEEP_NAME } from "../../lib/upkeep/settings.ts";
import { logCalls } from "../../ops/explain/logs-client.ts";
import { runWithStubs } from "../support/stub-commands.ts";
import { resourcesOf, synthesize, textOf } from "../support/synthesize.ts";
import { threeStages } from "../support/three-stages.ts";

const runbook = readFileSync("docs/runbook.md", "utf8");
const deployment = readFileSync("docs/deployment.md", "utf8");
const [, release = ""] = /^## Release\n(.*?)^### /ms.exec(deployment) ?? [];
const [, vault = ""] = /^### Backups in a vault\n(.*?)^## /ms.exec(deployment) ?? [];

/** The scripts in a text: its blocks of sh, without the indentation of a list. */
const scriptsIn = (text: string): string[] =>
  [...text.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent = "", script = ""]) =>
    script.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );

/** The commands in a text's prose. */
const commandsIn = (text: string): string[] =>
  [...text.replaceAll(/^ *```sh\n.*?^ *```$/gms, "").matchAll(/`((?:aws|curl|npm|npx|search) [^`]+)`/g)].map(
    ([, command]) => command ?? "",
  );

const scripts = [runbook, release].flatMap(scriptsIn);
const commands = [runbook, release].flatMap(commandsIn);
const { api, operators } = synthesize(threeStages["a stage with every setting"]);

const scriptWith = (part: string): string => scripts.find((script) => script.includes(part)) ?? "";

test("every command of the runbook, of the way back and of a restoration from a vault is a script of sh", async () => {
  expect(scripts.length).toBeGreaterThan(7);
  expect(commands.length).toBeGreaterThan(30);
  // A placeholder in angle brackets would send output to a file.
  const whole = [
    ...scripts,
    ...scriptsIn(vault),
    ...commands.map((command) => command.replaceAll(/<(\w+)>/g, "$1")),
  ];
  for (const script of whole)
    await runWithStubs(`sh -n <<'END'\n${script}\nEND`, { shell: "sh", stubs: [], answers: [] });
});

test("every loop over functions names all of them", () => {
  const loops = scripts.join("\n").match(/(?<=for name in ).*(?=; do)/g) ?? [];
  expect(loops.length).toBeGreaterThan(2);
  const names = [...endpoints.map(({ contract }) => contract.name), UPKEEP_NAME, INGEST_NAME];
  for (const loop of loops) expect(loop.split(" ").toSorted()).toEqual(names.toSorted());
});

test("every command for operators names the stage", () => {
  const ofOperators = commands.filter((command) => /^np[mx] /.test(command) && !command.endsWith("cdk"));
  expect(ofOperators.length).toBeGreaterThan(8);
  for (const command of ofOperators)
    if (/ -- | deploy /.test(command)) expect(command).toMatch(/stage[ =]\$stage/);
});

test("no query asks for the values of an object where the answer has a list", () => {
  // In JMESPath `.[*]` is a list of one expression, and `*` of a list is null.
  const queries = [...scripts, ...commands].flatMap(
    (text) => text.match(/--query (?:'[^']*'|"[^"]*"|\S+)/g) ?? [],
  );
  expect(queries.length).toBeGreaterThan(15);
  expect(queries.filter((query) => query.includes(".[*]"))).toEqual([]);
});

describe("search", () => {
  const groups = '["countinghouse-prod-api-GetPassLogs-1","countinghouse-prod-api-ListTradesLogs-2"]';
  const search = (end: string, answers: readonly string[]) =>
    runWithStubs(`${scriptWith("search()")}\n${end}`, {
      shell: "sh",
      stubs: ["aws", "sleep", "date"],
      answers,
    });
  // The answers to: the groups, the time from, the time to, the query's id, then a pause and a status in turn.
  const begun = [groups, "1000000", "1000000", "id-1"];

  test("asks the functions' groups about the last hour, waits for the end, and prints the rows below it", async () => {
    const answers = [...begun, "", "Scheduled\n", "", "Running\n", "", "Complete\n", "Complete\nERROR\t3\n"];
    const { stdout, calls } = await search("search 'stats count() by level'", answers);
    expect(stdout).toBe("Scheduled\nRunning\nComplete\nERROR\t3\n");
    const started = calls.find((call) => call.includes("start-query")) ?? [];
    const optionOf = (option: string) => started[started.indexOf(option) + 1];
    expect(optionOf("--log-group-names")).toBe(groups);
    expect([optionOf("--start-time"), optionOf("--end-time")]).toEqual(["996400", "1000000"]);
    expect(optionOf("--query-string")).toBe("stats count() by level");
    expect(calls.filter(([command]) => command === "sleep")).toHaveLength(3);
  });

  test("goes back as many hours as it is told", async () => {
    const { calls } = await search("search 'fields @message' 25", [...begun, "", "Complete\n"]);
    expect(calls.find((call) => call.includes("start-query"))).toContain("910000");
  });

  test("finds the groups by the saved queries of the stage", () => {
    const saved = resourcesOf(api, "AWS::Logs::QueryDefinition").map(({ Properties }) => Properties);
    const prefixes = [...runbook.matchAll(/--query-definition-name-prefix "([^"]+)"/g)].map(
      ([, prefix = ""]) => prefix.replace("$stage", "test"),
    );
    const found = prefixes.map((prefix) => saved.filter(({ Name }) => Name.startsWith(prefix)));
    expect(found.map((queries) => queries.length)).toEqual([1, 1]);
    const [lines, access] = found.map(([query]) => query?.LogGroupNames);
    expect(lines).toHaveLength(endpoints.length + 2);
    expect(JSON.stringify(lines)).not.toContain("Access");
    expect(access).toHaveLength(1);
    expect(JSON.stringify(access)).toContain("AccessLogs");
  });
});

test("the way back gives each function the last version from before the deployment, and all of its traffic", async () => {
  const script = `stage=prod\n${scriptWith("update-alias").split("\n\n")[1]}`;
  const { calls } = await runWithStubs(script, {
    shell: "sh",
    stubs: ["aws"],
    answers: ["3\n7\n", "live\t7\n"],
  });
  expect(calls[0]?.join(" ")).toMatch(/countinghouse-prod-[a-z]+-[a-z-]+/);
  expect(calls[0]).toContain("Versions[?Version!='$LATEST' && LastModified<'2026-11-28T09:30'].[Version]");
  const given = calls[1] ?? [];
  expect(given[given.indexOf("--function-version") + 1]).toBe("7");
  expect(given[given.indexOf("--routing-config") + 1]).toBe("AdditionalVersionWeights={}");
});

test("the time that kept keys still serve counts from their fetch", async () => {
  const { stdout } = await runWithStubs(scriptWith("key-set#"), {
    shell: "sh",
    stubs: ["aws", "date"],
    // Fetched 23 hours before.
    answers: ["1700000000123\n", `${1_700_000_000 + 23 * 3_600}\n`],
    environment: { stage: "prod" },
  });
  expect(stdout).toBe("60 minutes are left\n");
});

test("a segment is looked up by the bytes of its sort key", async () => {
  const script = scriptWith("attribute_not_exists").replace("> segment.json", "");
  const { calls } = await runWithStubs(script, {
    shell: "sh",
    stubs: ["aws"],
    answers: [],
    environment: { stage: "prod" },
  });
  const [read = []] = calls;
  const key = JSON.parse(read[read.indexOf("--key") + 1] ?? "");
  expect(key.pk).toEqual({ S: "BTC-USD#649" });
  expect(Buffer.from(key.sk.B, "base64").toString("hex")).toBe(
    "000001a20f4a0c5c00000000000000000000000000000007d2b1c04e",
  );
});

describe("the policy for incidents", () => {
  const policy = resourcesOf(operators, "AWS::IAM::ManagedPolicy").find(({ id }) =>
    id.startsWith("Incidents"),
  );
  const allowed = new Set<string>(
    policy?.Properties.PolicyDocument.Statement.flatMap(
      ({ Action }: { Action: string | string[] }) => Action,
    ),
  );
  /** Commands for which the page names other permissions. */
  const OTHERS = [
    "acm import-certificate",
    "cloudformation cancel-update-stack",
    "dynamodb delete-table",
    "dynamodb put-item",
    "dynamodb update-table",
    "kms describe-key",
    "service-quotas request-service-quota-increase",
  ];
  const PREFIXES: Readonly<Record<string, string>> = { deploy: "codedeploy" };
  /** API Gateway's actions are the methods of HTTP; `lambda invoke` is the one command that is named otherwise. */
  const NAMED: Readonly<Record<string, string>> = {
    "apigatewayv2 get-apis": "apigateway:GET",
    "apigatewayv2 get-stage": "apigateway:GET",
    "apigatewayv2 update-stage": "apigateway:PATCH",
    "lambda invoke": "lambda:InvokeFunction",
  };
  const used = [...new Set([...scripts, ...commands].join("\n").match(/(?<=\baws )[a-z0-9-]+ [a-z-]+/g))];

  const actionOf = (command: string): string => {
    const [service = "", operation = ""] = command.split(" ");
    const words = operation.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    return NAMED[command] ?? `${PREFIXES[service] ?? service}:${words.join("")}`;
  };

  test("allows every command of the runbook that needs no deployment", () => {
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((command) => !OTHERS.includes(command) && !allowed.has(actionOf(command)))).toEqual(
      [],
    );
  });

  test("lets `explain` search the logs of the stage, and no others", () => {
    expect(logCalls.filter((call) => !allowed.has(`logs:${call}`))).toEqual([]);
    const statements = policy?.Properties.PolicyDocument.Statement.filter(({ Action }: { Action: unknown }) =>
      [Action].flat().includes("logs:StartQuery"),
    );
    const groups = statements.flatMap(({ Resource }: { Resource: unknown }) => Resource).map(textOf);
    expect(groups.map((arn: string) => arn.split(":log-group:")[1])).toEqual([
      "/aws/vendedlogs/countinghouse/test/access-*",
      "countinghouse-test-api-*",
    ]);
  });

  test("allows nothing that no command needs, but the graphs of alarms", () => {
    const needed = new Set(used.map(actionOf));
    const unused = [...allowed].filter(
      (action) => !needed.has(action) && !/^(?:kms|cloudwatch):/.test(action),
    );
    expect(unused).toEqual([]);
  });
});
