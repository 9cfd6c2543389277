import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StartedService, startCommand } from "../../bench/support/start-command.ts";
import { contractBrand as brand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { ownStatuses } from "../../local/gateway/response.ts";
import { processEnvironment } from "../../local/options.ts";
import { localApplication } from "../../local/template/local-application.ts";
import { endpointReferences } from "../../publish/reference/endpoints.ts";
import { unsaid } from "../support/answer-check.ts";
import { filledDataDirectory } from "../support/filled-demo.ts";
import { codeIn, type Row, sectionsOf } from "../support/markdown.ts";
import { type QuickShell, type Ran, startQuickShell } from "../support/quick-shell.ts";
import { scratchDirectory } from "../support/scratch.ts";

const markdown = readFileSync("docs/sandbox.md", "utf8");
const section = sectionsOf(markdown).find(({ title }) => title.startsWith("Every answer"));
const [matrix = [], ofEvery = [], others = []] = section?.tables ?? [];
const shellFunctions = readFileSync("docs/examples/answers.sh", "utf8");

const plain = (cell: string | undefined): string => (cell ?? "").replaceAll("`", "");

const commandOf = (cell: string | undefined): string => codeIn(cell)[0] ?? "";

/** The commands of the matrix by endpoint, and those that every endpoint has. */
const functionsOwn = Object.keys(matrix[0] ?? {})
  .filter((column) => column !== "answer")
  .flatMap((endpoint) => {
    const words = `endpoint=${plain(endpoint)} get=${commandOf(matrix[0]?.[endpoint])}`;
    return [
      ...matrix.map((row): Row => ({ endpoint, answer: row.answer ?? "", command: row[endpoint] ?? "" })),
      ...ofEvery.map(
        (row): Row => ({ ...row, endpoint, command: `\`${words}; ${commandOf(row.command)}\`` }),
      ),
    ];
  })
  .filter(({ command }) => command !== "–");

let shell: QuickShell;
let service: StartedService;
let data: string;
beforeAll(async () => {
  data = await filledDataDirectory();
  [shell, service] = await Promise.all([
    startQuickShell(),
    startCommand(["--port", "0", "--no-page", "--data", data]),
  ]);
});
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

const nameOf = ({ endpoint = "gateway", answer }: Row): string => `${plain(endpoint)} ${plain(answer)}`;

async function expectOwn(row: Row): Promise<void> {
  const [status = "", code] = plain(row.answer).split(" ");
  const seen = await run(commandOf(row.command));
  expect(seen).toMatchObject({ exit: 0, status: Number(status) });
  const contract = endpointReferences.find((one) => one.contract.name === plain(row.endpoint))?.contract;
  const target = contract?.route.replaceAll(/\{[^}]+\}/g, "any") ?? "";
  expect(unsaid({ target, ...seen })).toEqual([]);
  if (code !== undefined) expect(JSON.parse(seen.body)).toMatchObject({ code });
}

async function expectOther(row: Row): Promise<void> {
  const [status = "", ...words] = plain(row.answer).split(" ");
  const seen = await run(commandOf(row.command));
  if (status === "curl") return expect(seen.exit).toBe(Number(words[0]));
  expect(seen).toMatchObject({ exit: 0, status: Number(status) });
  if (words.length > 0) expect(JSON.parse(seen.body)).toEqual({ message: words.join(" ") });
}

/** Rows that wait until a switch takes effect. */
const isSwitched = ({ command = "" }: Row): boolean => command.includes("while_off");
const named = (rows: readonly Row[]) => rows.map((row) => [nameOf(row), row] as const);

test.each(named(functionsOwn.filter((row) => !isSwitched(row))))("%s", (_, row) => expectOwn(row));

test.each(named(others.filter((row) => !isSwitched(row))))("%s", (_, row) => expectOther(row));

// Each waits for seconds, and no other row asks its endpoint meanwhile.
describe.concurrent("switches", () => {
  test.each(named(functionsOwn.filter(isSwitched)))("%s", (_, row) => expectOwn(row));

  test.each(named(others.filter(isSwitched)))("%s", (_, row) => expectOther(row));
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
  expect(functionsOwn.map(nameOf).toSorted()).toEqual(documented.toSorted());
  const ofGateway = others.map(({ answer }) => plain(answer)).filter((answer) => /^\d{3} /.test(answer));
  expect(new Set(ofGateway.map((answer) => Number(answer.slice(0, 3))))).toEqual(new Set(ownStatuses));
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
