import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { statusOf } from "../../lib/http/error-response.ts";
import { ownStatuses } from "../../local/gateway/response.ts";
import { type Service, startService } from "../../local/local-service.ts";
import { endpointReferences } from "../../reference/endpoints.ts";
import { unsaid } from "../support/answer-check.ts";
import { codeIn, type Row, sectionsOf } from "../support/markdown.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { serviceOptions, silent } from "../support/service-options.ts";

const markdown = readFileSync("docs/sandbox.md", "utf8");
const section = sectionsOf(markdown).find(({ title }) => title.startsWith("Every answer"));
const [functionsOwn = [], others = [], steps = []] = section?.tables ?? [];
const [, shellFunctions = ""] = /use these functions.*?```sh\n(.*?)```/s.exec(markdown) ?? [];

const plain = (cell: string | undefined): string => (cell ?? "").replaceAll("`", "");

let service: Service;
const data = scratchDirectory();
beforeAll(async () => {
  service = await startService(serviceOptions(data), silent);
});
afterAll(() => service.close());

interface Seen {
  /** The exit code of the line, which is that of its last command. */
  readonly exit: number;
  readonly status: number;
  readonly body: string;
  readonly stdout: string;
}

/** Runs a line of the document in a shell, with its functions. npm is left out of them, because it takes long. */
function run(line: string): Promise<Seen> {
  const script = `${shellFunctions}\nops() { node --import ./local/require-node.mjs ops/main.ts "$@"; }\n${line}`;
  const { PATH = "" } = process.env;
  const env = { PATH: `${path.dirname(process.execPath)}:${PATH}`, data };
  return new Promise((resolve) => {
    execFile("sh", ["-c", script], { env }, (error, stdout) => {
      const [, status = "0"] = /^HTTP\/1\.1 (\d{3})/m.exec(stdout) ?? [];
      const [, length = "0"] = /^content-length: (\d+)/im.exec(stdout) ?? [];
      const start = stdout.indexOf("\r\n\r\n") + 4;
      const body = Buffer.from(stdout.slice(start)).subarray(0, Number(length)).toString();
      resolve({ exit: Number(error?.code ?? 0), status: Number(status), body, stdout });
    });
  });
}

const nameOf = ({ endpoint, answer }: Row): string => `${plain(endpoint)} ${plain(answer)}`;

test.each(functionsOwn.map((row) => [nameOf(row), row] as const))("%s", async (_, row) => {
  const [status = "", code] = plain(row.answer).split(" ");
  const seen = await run(codeIn(row.command)[0] ?? "");
  expect(seen).toMatchObject({ exit: 0, status: Number(status) });
  const contract = endpointReferences.find((one) => one.contract.name === plain(row.endpoint))?.contract;
  const target = contract?.route.replaceAll(/\{[^}]+\}/g, "any") ?? "";
  expect(unsaid({ target, ...seen })).toEqual([]);
  if (code !== undefined) expect(JSON.parse(seen.body)).toMatchObject({ code });
});

test.each(others.map((row) => [nameOf(row), row] as const))("%s", async (_, row) => {
  const [status = "", ...words] = plain(row.answer).split(" ");
  const seen = await run(codeIn(row.command)[0] ?? "");
  if (status === "curl") return expect(seen.exit).toBe(Number(words[0]));
  expect(seen).toMatchObject({ exit: 0, status: Number(status) });
  if (row.endpoint === "gateway") expect(JSON.parse(seen.body)).toEqual({ message: words.join(" ") });
});

test.each(steps.map((row) => [`${row.record} ${plain(row["it is then"])}`, row] as const))(
  "%s",
  async (_, row) => {
    const { exit, stdout } = await run(codeIn(row.command)[0] ?? "");
    expect([exit, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^The ${row.record} .+ → ${plain(row["it is then"])}\\ncurl `)),
    ]);
  },
);

test("every answer that the reference describes has a row, and every one of the gateway's own", () => {
  const documented = endpointReferences.flatMap(({ contract: { name }, codes, notModified }) => [
    `${name} 200`,
    ...(notModified === undefined ? [] : [`${name} 304`]),
    ...codes.map((code) => `${name} ${statusOf[code]} ${code}`),
  ]);
  const rows = [...functionsOwn, ...others];
  const ofEndpoints = rows.filter(({ endpoint = "" }) => endpoint.startsWith("`")).map(nameOf);
  expect(ofEndpoints.toSorted()).toEqual(documented.toSorted());
  const ofGateway = rows.filter(({ endpoint }) => endpoint === "gateway").map(({ answer }) => plain(answer));
  expect(new Set(ofGateway.map((answer) => Number(answer.slice(0, 3))))).toEqual(new Set(ownStatuses));
});

test("the times that a client can be set by are those of a stage that says nothing else", () => {
  const { functions, routes } = service.application;
  const routed = functions.filter(({ name }) => routes.some(({ functionName }) => functionName === name));
  expect(new Set(routed.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([10_000]));
  expect(new Set(routes.map(({ integrationTimeoutMs }) => integrationTimeoutMs))).toEqual(new Set([30_000]));
  expect(markdown).toMatch(/^\| The function's own time.*\| 10 s \|$/m);
  expect(markdown).toMatch(/^\| The gateway waits for a function \| 30 s \|$/m);
});
