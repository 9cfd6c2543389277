import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { startCommand } from "../../bench/support/start-command.ts";
import { contractBrand as brand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
import { ownStatuses } from "../../local/gateway/response.ts";
import { processEnvironment } from "../../local/options.ts";
import { localApplication } from "../../local/template/local-application.ts";
import { unsaid } from "../support/answer-check.ts";
import { filledDataDirectory } from "../support/filled-demo.ts";
import { codeIn, sectionsOf } from "../support/markdown.ts";
import { type Ran, startQuickShell } from "../support/quick-shell.ts";
import { scratchDirectory } from "../support/scratch.ts";

const markdown = readFileSync("docs/sandbox.md", "utf8");
const SCRIPT = "docs/examples/answers.sh";
const shellFunctions = readFileSync(SCRIPT, "utf8");

interface Row {
  readonly of: string;
  readonly status: string;
  readonly words: string;
}

/** The answers that the script lists. */
const rows = execFileSync("sh", ["-c", `. ${SCRIPT}; answers`], { encoding: "utf8" })
  .trimEnd()
  .split("\n")
  .map((line): Row => {
    const [of = "", answer = ""] = line.split("|");
    const [status = "", ...words] = answer.split(" ");
    return { of, status, words: words.join(" ") };
  });
const ofEndpoints = rows.filter(({ of }) => of !== "gateway" && of !== "connection");

const data = await filledDataDirectory();
const [shell, service] = await Promise.all([
  startQuickShell(),
  startCommand(["--port", "0", "--no-page", "--data", data]),
]);
afterAll(async () => {
  await service.stop();
  await shell[Symbol.asyncDispose]();
});

interface Seen extends Ran {
  readonly status: number;
  readonly body: string;
}

/** Runs a line of the document in a shell, with its functions. */
async function run(line: string, isQuick = true): Promise<Seen> {
  const ran = await shell.run(`${shellFunctions}\n${line}`, { data }, isQuick);
  const { stdout } = ran;
  const [, status = "0"] = /^HTTP\/1\.1 (\d{3})/m.exec(stdout) ?? [];
  const [, length = "0"] = /^content-length: (\d+)/im.exec(stdout) ?? [];
  const start = stdout.indexOf("\r\n\r\n") + 4;
  const body = Buffer.from(stdout.slice(start)).subarray(0, Number(length)).toString();
  return { ...ran, status: Number(status), body };
}

const nameOf = ({ of, status, words }: Row): string => `${of} ${status} ${words}`.trim();

async function expectRow({ of, status, words }: Row): Promise<void> {
  const isOfEndpoint = of !== "gateway" && of !== "connection";
  const seen = await run(`answer ${of} ${isOfEndpoint && words !== "" ? words : status}`);
  // What a connection's status of two digits names is the exit code of curl.
  if (status.length === 2) return expect(seen.exit).toBe(Number(status));
  expect(seen).toMatchObject({ exit: 0, status: Number(status) });
  if (of === "gateway") expect(JSON.parse(seen.body)).toEqual({ message: words });
  if (!isOfEndpoint) return;
  const contract = endpointReferences.find((one) => one.contract.name === of)?.contract;
  expect(unsaid({ target: contract?.route.replaceAll(/\{[^}]+\}/g, "any") ?? "", ...seen })).toEqual([]);
  if (words !== "") expect(JSON.parse(seen.body)).toMatchObject({ code: words });
}

const named = (isSwitched: boolean) =>
  rows
    .filter(({ words }) => (words === "service_disabled") === isSwitched)
    .map((row) => [nameOf(row), row] as const);

test.each(named(false))("%s", (_, row) => expectRow(row));

// Each waits for seconds, and no other row asks its endpoint meanwhile.
describe.concurrent("switches", () => {
  test.each(named(true))("%s", (_, row) => expectRow(row));
});

test("an answer that there is not is refused", async () => {
  expect(await run("answer get-pass 409")).toMatchObject({ exit: 2, stdout: "" });
});

test("the functions run as they are, by npm and Node.js themselves", async () => {
  expect(await run("fault get-pass 503 --times 1; pass", false)).toMatchObject({ exit: 0, status: 503 });
});

test("`demo advance` prints the step, and a curl line that shows the record", async () => {
  const { exit, stdout } = await run('ops demo advance "$(demo ramp.orders.PROCESSING)" --data "$data"');
  expect([exit, stdout]).toEqual([
    0,
    expect.stringMatching(/^The sell order \S+: PROCESSING → COMPLETED\ncurl /),
  ]);
});

test("every answer that the reference describes has a row, and every one of the gateway's own", () => {
  const documented = endpointReferences.flatMap(({ contract: { name }, codes, notModified }) => [
    `${name} 200`,
    ...(notModified === undefined ? [] : [`${name} 304`]),
    ...codes.map((code) => `${name} ${statusOf[code]} ${code}`),
  ]);
  expect(ofEndpoints.map(nameOf).toSorted()).toEqual(documented.toSorted());
  const ofGateway = rows.filter(({ of }) => of === "gateway");
  expect(new Set(ofGateway.map(({ status }) => Number(status)))).toEqual(new Set(ownStatuses));
});

test("the table of demo.json has every member of the file, and no other", () => {
  const rows = sectionsOf(markdown).find(({ title }) => title === "What `demo.json` has")?.tables[0] ?? [];
  const told = rows.flatMap(({ member }) => codeIn(member));
  // A list, and an object that has an id for each word, is one member.
  const membersOf = (value: unknown, name: string): string[] =>
    told.includes(name) || typeof value !== "object" || value === null
      ? [name]
      : Object.entries(value).flatMap(([key, within]) => membersOf(within, `${name}.${key}`));
  const demo: Record<string, unknown> = JSON.parse(readFileSync(`${data}/demo.json`, "utf8"));
  const members = Object.entries(demo).flatMap(([name, value]) => membersOf(value, name));
  expect(told.toSorted()).toEqual(members.toSorted());
});

test("the times that a client can be set by are those of a stage that says nothing else", async () => {
  const settings = { brand, corsOrigins: [], stockSdk: false };
  const { functions, routes } = await localApplication(settings, {
    dataDir: scratchDirectory(),
    environment: processEnvironment,
    clock: systemClock,
    report: () => {},
  });
  const routed = functions.filter(({ name }) => routes.some(({ functionName }) => functionName === name));
  expect(new Set(routed.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([10_000]));
  expect(new Set(routes.map(({ integrationTimeoutMs }) => integrationTimeoutMs))).toEqual(new Set([30_000]));
  expect(markdown).toMatch(/^\| The function's own time.*\| 10 s \|$/m);
  expect(markdown).toMatch(/^\| The gateway waits for a function \| 30 s \|$/m);
});
