import { spawn, spawnSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signRequest } from "../../local/signing/sign-request.ts";
import { type Ended, endOf } from "../support/child-program.ts";
import { plainStore } from "../support/engine.ts";
import { importsOf } from "../support/fences.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";
import { countsOf, makeStore, runOperator, temporaryDirectory } from "../support/operator.ts";
import { operatorsPart, linesOf as printedLines } from "../support/printed-lines.ts";
import { projectFiles, projectPath, projectRoot, projectText } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { shellWords } from "../support/shell-words.ts";

/** A language that this machine can run. */
interface Language {
  readonly name: string;
  readonly command: string;
  readonly listTrades: string;
  readonly pollPass: string;
}

const typescript: Language = {
  name: "TypeScript",
  command: process.execPath,
  listTrades: "docs/examples/typescript/list-trades.ts",
  pollPass: "docs/examples/typescript/poll-pass.ts",
};
const python: Language = {
  name: "Python",
  command: "python3",
  listTrades: "docs/examples/python/list_trades.py",
  pollPass: "docs/examples/python/poll_pass.py",
};

const hasPython =
  spawnSync("python3", ["-c", "import cryptography, sys; assert sys.version_info >= (3, 9)"]).status === 0;
if (!hasPython)
  console.warn(
    "python3 with the package cryptography is not on this machine: docs/examples/python is left out.",
  );
const languages = hasPython ? [typescript, python] : [typescript];

const { PATH = "", HOME = "", NODE_COMPILE_CACHE = "" } = process.env;
const environment = { HOME, PATH: `${dirname(process.execPath)}${delimiter}${PATH}`, NODE_COMPILE_CACHE };

/** Starts a command that runs in an environment which says nothing else of the service. */
function start(command: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(command, argv, { cwd: projectRoot, env: { ...environment, ...env }, stdio: "pipe" });
  child.stdin.end();
  return { child, ended: endOf(child) };
}

const run = (...how: Parameters<typeof start>): Promise<Ended> => start(...how).ended;

interface Asked {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly atMs: number;
}

type Said = { status: number; headers?: Record<string, string>; body?: string };

/** A server that gives its answers one after the other, and keeps what it was asked. */
async function startScripted(answers: readonly Said[]) {
  const asked: Asked[] = [];
  const server: Server = createServer(({ url, headers }, response) => {
    const { status, headers: said = {}, body = "" } = answers[asked.length] ?? { status: 500 };
    asked.push({ url: new URL(url ?? "", "http://scripted"), headers, atMs: performance.now() });
    response.writeHead(status, said).end(body);
  });
  const baseUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { baseUrl, asked, [Symbol.asyncDispose]: close };
}

const error = (code: string) => JSON.stringify({ error_id: "e-1", code, message: "Not now.", timestamp: 1 });

/** Rows of a listing without the digits' meaning: what a program prints between its tabs. */
const rowsOf = (output: string) =>
  output
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));

const trade = (tdt: number, q: string) => ({ tdt, p: "100.10", pc: "USD", q, qc: "BTC", s: "buy" });

const pageOf = (trades: readonly object[], cursor?: string): Said => ({
  status: 200,
  body: JSON.stringify({ data: trades, metadata: { timestamp: 1, next_cursor: cursor } }),
});

let service: TestService;
let strangerKey: string;
beforeAll(async () => {
  service = await startTestService(plainStore);
  strangerKey = join(scratchDirectory(), "stranger.pem");
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(strangerKey, privateKey.export({ type: "pkcs8", format: "pem" }));
});
afterAll(() => service.close());

describe.each(languages)("the example in $name that lists trades", ({ command, listTrades }) => {
  const settings = (changed: Readonly<Record<string, string>> = {}) => ({
    BASE_URL: service.baseUrl,
    API_KEY: service.demo.exchange.apiKey,
    PRIVATE_KEY_FILE: service.demo.exchange.privateKeyFile,
    ...changed,
  });
  const list = (argv: readonly string[], changed?: Readonly<Record<string, string>>) =>
    run(command, [listTrades, ...argv], settings(changed));

  beforeEach(() => service.refill("trades", service.demo.exchange.owner));

  /** The listing as one page, asked for by the project's own signer. */
  async function listing(): Promise<{ data: Record<string, string | number>[] }> {
    const { apiKey, privateKeyFile, headerPrefix } = service.demo.exchange;
    const url = `${service.baseUrl}/1.0/trades/all/SOL-EUR?limit=1900`;
    const key = { apiKey, privateKey: createPrivateKey(readFileSync(privateKeyFile)) };
    const headers = signRequest({ method: "GET", url, now: Date.now() }, key, headerPrefix);
    return (await (await fetch(url, { headers })).json()) as Awaited<ReturnType<typeof listing>>;
  }

  test("prints every trade of the listing as it was served, whatever the size of its pages", async () => {
    const { data } = await listing();
    expect(data.length).toBeGreaterThan(2);
    const expected = data.map(({ tdt, s, q, qc, p, pc }) => [
      new Date(Number(tdt)).toISOString(),
      s,
      q,
      qc,
      p,
      pc,
    ]);
    const { code, output, errors } = await list(["SOL-EUR", "limit=2"]);
    expect({ code, rows: rowsOf(output) }).toEqual({ code: 0, rows: expected });
    expect(errors).toMatch(new RegExp(`^${data.length} trades, [\\d.]+ SOL\n$`));
  });

  test("adds quantities up to the last digit", async () => {
    const quantities = ["0.1", "0.2", "90071992547409930.00000001", "7"];
    await using server = await startScripted([pageOf(quantities.map((q, n) => trade(n, q)))]);
    const { errors } = await list(["BTC-USD"], { BASE_URL: server.baseUrl });
    expect(errors).toBe("4 trades, 90071992547409937.30000001 BTC\n");
  });

  test("waits out a used-up budget in milliseconds, signs anew, and goes on where it was", async () => {
    const busy = { headers: { "Retry-After": "300" }, body: error("rate_limited") };
    await using server = await startScripted([
      pageOf([trade(2, "1")], "next-1"),
      { status: 429, ...busy },
      { status: 503, ...busy },
      pageOf([], "next-2"),
      pageOf([trade(1, "1")]),
    ]);
    const { code, output, errors } = await list(["BTC-USD", "limit=1"], { BASE_URL: server.baseUrl });
    expect({ code, errors }).toEqual({
      code: 0,
      errors: "429: waiting 300 ms\n503: waiting 300 ms\n2 trades, 2 BTC\n",
    });
    expect(rowsOf(output).map(([instant]) => instant)).toEqual([
      "1970-01-01T00:00:00.002Z",
      "1970-01-01T00:00:00.001Z",
    ]);
    const cursors = server.asked.map(({ url }) => url.searchParams.get("cursor"));
    expect(cursors).toEqual([null, "next-1", "next-1", "next-1", "next-2"]);
    expect(server.asked.every(({ url }) => url.searchParams.get("limit") === "1")).toBe(true);
    const instants = server.asked.map(({ atMs }) => atMs);
    for (const at of [2, 3]) expect((instants[at] ?? 0) - (instants[at - 1] ?? 0)).toBeGreaterThan(290);
    const signatures = server.asked.slice(1, 4).map(({ headers }) => headers["x-svc-signature"]);
    expect(new Set(signatures).size).toBe(3);
  });

  test("gives a server up that stays busy", async () => {
    const busy = { status: 429, headers: { "Retry-After": "1" }, body: error("rate_limited") };
    await using server = await startScripted(Array.from({ length: 20 }, () => busy));
    const { code, errors } = await list(["BTC-USD"], { BASE_URL: server.baseUrl });
    expect(code).toBe(1);
    expect(errors).toMatch(/\n429 rate_limited: Not now\. \(error_id e-1\)\n$/);
    expect(server.asked).toHaveLength(10);
  });

  test("says what the service says of a signature by another key, of a symbol and of a parameter", async () => {
    const said = async (...how: Parameters<typeof list>) => {
      const { code, output, errors } = await list(...how);
      expect({ code, output }).toEqual({ code: 1, output: "" });
      return errors;
    };
    const ending = String.raw`: .+ \(error_id [\da-f-]{36}\)\n$`;
    expect(await said(["SOL-EUR"], { PRIVATE_KEY_FILE: strangerKey })).toMatch(
      new RegExp(`^401 invalid_credentials${ending}`),
    );
    expect(await said(["SOL-XXX"])).toMatch(new RegExp(`^400 unknown_symbol${ending}`));
    expect(await said(["SOL-EUR", "limit=0"])).toMatch(new RegExp(`^400 validation_error${ending}`));
  });

  test("says that nobody answers, and that an answer is of somebody else", async () => {
    const closed = await startScripted([]);
    await closed[Symbol.asyncDispose]();
    expect(await list(["BTC-USD"], { BASE_URL: closed.baseUrl })).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /^no answer: waiting 250 ms\nno answer: waiting 500 ms\nno answer: waiting 1000 ms\nNo answer from .*127\.0\.0\.1:\d+: .+\n$/,
      ),
    });
    await using proxy = await startScripted([
      { status: 502, body: "<p>bad gateway" },
      { status: 404, body: '{"message":"Not Found"}' },
    ]);
    const errors = [502, 404].map(async () => (await list(["BTC-USD"], { BASE_URL: proxy.baseUrl })).errors);
    expect((await Promise.all(errors)).sort()).toEqual([
      "404: Not Found (error_id unknown)\n",
      "502: <p>bad gateway\n",
    ]);
  });

  test("says what is missing, unreadable or no option", async () => {
    expect((await list(["SOL-EUR", "--limit"])).errors).toContain("--limit");
    const settingsFile = projectPath("package.json");
    const { errors } = await list(["SOL-EUR"], { PRIVATE_KEY_FILE: settingsFile });
    expect(errors).toBe(`${settingsFile} cannot be read as a private Ed25519 key in PEM.\n`);
    expect(await run(command, [listTrades, "SOL-EUR"])).toMatchObject({
      code: 1,
      errors: "BASE_URL is not set.\n",
    });
  });

  test("ends quietly when its reader has seen enough", async () => {
    const trades = Array.from({ length: 1_900 }, (_, n) => trade(n, "1"));
    const pages = Array.from({ length: 20 }, (_, n) => pageOf(trades, n < 19 ? `next-${n}` : undefined));
    await using server = await startScripted(pages);
    const line = `'${command}' ${listTrades} BTC-USD | head -1`;
    const { output, errors } = await run("bash", ["-c", line], settings({ BASE_URL: server.baseUrl }));
    expect({ rows: rowsOf(output).length, errors }).toEqual({ rows: 1, errors: "" });
  });
});

describe.each(languages)("the example in $name that polls a pass", ({ command, pollPass }) => {
  const settings = (changed: Readonly<Record<string, string>> = {}) => ({
    BASE_URL: service.baseUrl,
    JWS_KEY_FILE: service.demo.passes.jws.privateKeyFile,
    ...changed,
  });
  const poll = (argv: readonly string[], changed?: Readonly<Record<string, string>>) =>
    run(command, [pollPass, ...argv], settings(changed));
  /** Lines without the instant that they begin with. */
  const linesOf = (output: string) =>
    output
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}/, ""));

  test("shows the pass with its digits, and asks for it again by its tag", async () => {
    const { references } = service.demo.passes;
    const { code, output, errors } = await poll([
      references.loyalty_pass ?? "",
      "--every",
      "0.05",
      "--times",
      "2",
    ]);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const lines = linesOf(output);
    expect([lines[0], lines.at(-1)]).toEqual(["200  the pass", "304  unchanged"]);
    expect(lines).toContain("  semantics.points: (nothing) -> 1284.50");
    expect(lines).toContain('  type: (nothing) -> "loyalty_pass"');
  });

  test("ends where the pass was voided, or never was", async () => {
    const { voidReference } = service.demo.passes;
    const gone = async (reference: string) => {
      const { code, output } = await poll([reference]);
      return { code, lines: linesOf(output) };
    };
    expect(await gone(voidReference)).toEqual({ code: 0, lines: ["410  the pass is gone: polling ends"] });
    expect(await gone("no/such pass")).toEqual({ code: 0, lines: ["404  the pass is gone: polling ends"] });
  });

  test("shows what changes, waits as it is told, and sends the last tag with each new signature", async () => {
    const body = (points: string, more = "") => `{"semantics":{"points":${points}},"list":["a"${more}]}`;
    const date = "Wed, 01 Jan 2020 00:00:00 GMT";
    const until = "Wed, 01 Jan 2020 00:00:01 GMT";
    await using server = await startScripted([
      { status: 200, headers: { etag: '"one"' }, body: body("1284.50") },
      { status: 429, headers: { "Retry-After": "1" }, body: error("rate_limited") },
      { status: 503, headers: { "Retry-After": until, date }, body: error("temporarily_unavailable") },
      { status: 500, body: "<p>" },
      { status: 304, headers: { etag: '"one"' } },
      { status: 200, headers: { etag: '"two"' }, body: body("1284.500", ',"ä"') },
      { status: 410 },
    ]);
    const { code, output } = await poll(["a:b", "--every", "0.05"], { BASE_URL: server.baseUrl });
    expect(code).toBe(0);
    expect(linesOf(output)).toEqual([
      "200  the pass",
      "  semantics.points: (nothing) -> 1284.50",
      '  list.0: (nothing) -> "a"',
      "429 rate_limited: Not now. (error_id e-1); next poll in 1000 ms",
      "503 temporarily_unavailable: Not now. (error_id e-1); next poll in 1000 ms",
      "500: <p>; next poll in 50 ms",
      "304  unchanged",
      "200  changed",
      "  semantics.points: 1284.50 -> 1284.500",
      '  list.1: (nothing) -> "ä"',
      "410  the pass is gone: polling ends",
    ]);
    const tags = server.asked.map(({ headers }) => headers["if-none-match"]);
    expect(tags).toEqual([undefined, ...Array.from({ length: 5 }, () => '"one"'), '"two"']);
    expect(new Set(server.asked.map(({ headers }) => headers["jws-signature"])).size).toBe(7);
    const instants = server.asked.map(({ atMs }) => atMs);
    for (const at of [2, 3]) expect((instants[at] ?? 0) - (instants[at - 1] ?? 0)).toBeGreaterThan(990);
    expect((instants[4] ?? 0) - (instants[3] ?? 0)).toBeLessThan(900);
  });

  test("waits no less where it is told to wait for longer than a timer can", async () => {
    const busy = { headers: { "Retry-After": "99999999999" }, body: error("rate_limited") };
    await using server = await startScripted([{ status: 429, ...busy }]);
    const { child, ended } = start(command, [pollPass, "a"], settings({ BASE_URL: server.baseUrl }));
    await once(child.stdout, "data");
    child.kill();
    const { output } = await ended;
    expect(Number(/next poll in (\d+) ms/.exec(output)?.[1])).toBeGreaterThan(20 * 86_400_000);
    expect(server.asked).toHaveLength(1);
  });

  test("polls on while nobody answers", async () => {
    const closed = await startScripted([]);
    await closed[Symbol.asyncDispose]();
    const argv = ["a", "--every", "0.05", "--times", "2"];
    const { code, output } = await poll(argv, { BASE_URL: closed.baseUrl });
    expect(code).toBe(0);
    for (const line of linesOf(output)) expect(line).toMatch(/^no answer: .+; next poll in (?:50|100) ms$/);
    expect(linesOf(output)).toHaveLength(2);
  });

  test("says a refusal in the service's words, and polls on: only 404 and 410 end that", async () => {
    const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
    const file = join(scratchDirectory(), "stranger.json");
    writeFileSync(file, JSON.stringify({ ...jwk, kid: service.demo.passes.jws.kid }));
    const { partnerReference } = service.demo.passes;
    const twice = ["--every", "0.05", "--times", "2"];
    const refused = await poll([partnerReference, ...twice], { JWS_KEY_FILE: file });
    expect(refused.code).toBe(0);
    expect(linesOf(refused.output)).toEqual(
      Array.from({ length: 2 }, () =>
        expect.stringMatching(/^401 invalid_credentials: .+ \(error_id [\da-f-]{36}\); next poll in 50 ms$/),
      ),
    );
    const other = await poll([partnerReference, ...twice], { PASS_VERSION: "2020-01-01" });
    expect([other.code, linesOf(other.output)[1]]).toEqual([
      0,
      expect.stringMatching(/^400 unsupported_version: /),
    ]);
  });

  test("says what is missing or unreadable, without a word of what is in the file", async () => {
    const settingsFile = projectPath("package.json");
    const { errors } = await poll(["a"], { JWS_KEY_FILE: settingsFile });
    expect(errors).toBe(
      `${settingsFile} cannot be read as a private Ed25519 key: a JWK with d, x and kid.\n`,
    );
    expect(await run(command, [pollPass, "a"])).toMatchObject({
      code: 1,
      errors: "BASE_URL is not set.\n",
    });
  });
});

describe("the examples", () => {
  test("run by the lines of their README", async () => {
    const block = /```sh\n(demo\(\).*?)```/s.exec(projectText("docs/examples/README.md"))?.[1] ?? "";
    const lines = block.split("\n").filter((line) => hasPython || !line.startsWith("python3"));
    const dataDir = dirname(service.demo.exchange.privateKeyFile);
    const script = lines
      .join("\n")
      .replace("./.countinghouse", dataDir)
      .replaceAll("--every 5", "--every 0.05");
    const { code, output, errors } = await run("bash", ["-e", "-c", script]);
    expect({ code, errors: errors.replaceAll(/^\d+ trades, [\d.]+ SOL\n/gm, "") }).toEqual({
      code: 0,
      errors: "",
    });
    expect(output.match(/ {2}304 {2}unchanged$/gm)).toHaveLength(languages.length);
  });

  test("have records that are imported by the lines of their README", async () => {
    await using data = await temporaryDirectory();
    await makeStore(data.path);
    const block =
      /```sh\n(npm run ops -- import .*?)```/s.exec(projectText("docs/examples/README.md"))?.[1] ?? "";
    const outcomes: object[] = [];
    for (const line of printedLines(block)) {
      const [command = "", feed] = line.split(" | ").toReversed();
      const args = [...shellWords(operatorsPart(command) ?? ""), "--data", data.path];
      const input = feed === undefined ? "" : (await run("bash", ["-c", feed])).output;
      const imported = await runOperator(args, { input });
      const { written, refused } = countsOf(imported);
      outcomes.push({ code: imported.code, written, refused });
    }
    expect(outcomes).toEqual([
      { code: 0, written: 298, refused: 0 },
      { code: 0, written: 40, refused: 0 },
      { code: 0, written: 4, refused: 0 },
    ]);
  });

  test("take nothing but what comes with the language, and the one package that they name", () => {
    const ofTypeScript = projectFiles("docs/examples/typescript/*.ts").flatMap((file) =>
      importsOf(file, projectText(file)),
    );
    expect(ofTypeScript.length).toBeGreaterThan(0);
    expect(ofTypeScript.filter((imported) => !imported.startsWith("node:"))).toEqual([]);
    const ofPython = projectFiles("docs/examples/python/*.py").flatMap((file) =>
      Array.from(projectText(file).matchAll(/^ *(?:from|import) +(\w+)/gm), ([, module]) => module),
    );
    const known =
      "argparse base64 cryptography datetime decimal email hashlib http json math os pathlib re sys time traceback typing urllib uuid";
    expect(new Set(ofPython)).toEqual(new Set(known.split(" ")));
  });
});
