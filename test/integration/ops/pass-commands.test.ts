import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text as bodyText } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { failing, runOperator, startOperator, temporaryDirectory } from "../../support/operator.ts";
import { REFERENCES, startPassServer, startSockets, TOKENS, type Traits } from "../../support/pass-server.ts";

const files = await temporaryDirectory();
const tokenFile = join(files.path, "token");
await writeFile(tokenFile, TOKENS.good);
afterAll(() => files[Symbol.asyncDispose]());

const argsFor = (url: string, reference = REFERENCES.current): string[] => [
  url,
  "--reference",
  reference,
  "--token-file",
  tokenFile,
];
/** A server whose check does not take long, as no rule about tags can be checked. */
const tagless: Traits = {
  change: (answer) => {
    const { etag: _, ...headers } = answer.headers;
    return { ...answer, headers };
  },
};

const always503: Traits = {
  change: ({ headers }) => ({ status: 503, headers: { ...headers, "retry-after": "30" }, body: "" }),
};

describe("check-pass", () => {
  test("shows what it has found so far when it is stopped", async () => {
    let asked = 0;
    const url = await startSockets((socket) => {
      asked += 1;
      if (asked <= 2) socket.end("HTTP/1.1 200 X\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
      else child.kill("SIGINT");
    });
    const { child, ended } = startOperator(["check-pass", ...argsFor(url)]);
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/^pass .*200 with a JSON object$/m);
    expect(stdout).toMatch(/^1 pass, 0 warn, 0 fail, 0 not checked$/m);
  });

  test("checks a watched server again when it comes up and at Enter, and ends with the last exit code", async () => {
    const first = await startPassServer();
    await first.close();
    const { child, ended } = startOperator(["check-pass", ...argsFor(first.url), "--watch"], {
      holdInput: true,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
    });
    const until = async (text: string): Promise<void> => {
      while (!said.includes(text)) await once(child.stderr, "data");
      said = said.slice(said.indexOf(text) + text.length);
    };
    await until("ECONNREFUSED");
    await until("Enter checks again");
    const port = Number(new URL(first.url).port);
    const second = await startPassServer(tagless, Number.POSITIVE_INFINITY, port);
    await until("Checking again: the server started again.");
    await until("Enter checks again");
    second.state.version = 2;
    await until("Checking again: the server answers differently.");
    await until("Since the last check: no difference.");
    await until("Enter checks again");
    child.stdin.write("\n");
    await until("Checking again: Enter was pressed.");
    await until("Since the last check: no difference.");
    await until("Enter checks again");
    child.kill("SIGINT");
    const { code, stdout } = await ended;
    expect(code).toBe(1);
    expect(stdout.match(/^\d+ pass, 0 warn, 1 fail, \d+ not checked$/gm)).toHaveLength(3);
    expect(stdout).not.toContain("\u001b");
  }, 30_000);

  test("refuses standard input for a file when it watches", async () => {
    const args = ["check-pass", "http://127.0.0.1:1", "--reference", "a", "--token-file", "-", "--watch"];
    const { code, stderr } = await runOperator(args, { input: "token" });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^--watch reads every file anew .*standard input\.\n$/);
  });

  test("ends with 2 and one line when there is nothing to check", async () => {
    const server = await startPassServer();
    await server.close();
    const { code, stdout, stderr } = await runOperator(["check-pass", ...argsFor(server.url)]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached, .*ECONNREFUSED.*\n$/);
  });

  test("ends with 2 when a server is only ever busy, and waits no longer than it is told to", async () => {
    const server = await startPassServer(always503);
    const run = await runOperator(["check-pass", ...argsFor(server.url), "--wait-budget", "1"]);
    expect(run).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^\d+ pass, 0 warn, 0 fail, \d+ not checked$/m),
      stderr:
        "The server did not answer with the pass, so nothing could be checked: the server kept answering 503.\n",
    });
  });
});

describe("a check that could not be made breaks no rule", () => {
  const refusing = (status: number): Traits => ({
    change: ({ headers }) => ({ status, headers, body: "{}" }),
  });

  test.each<[string, Traits, string[], RegExp]>([
    [
      "no credential",
      {},
      [],
      /^The server asks for a credential \(401\): nothing could be checked\. .*--jws-key/,
    ],
    [
      "a wrong token",
      refusing(401),
      ["token"],
      /^The server refuses this credential \(401\): nothing could be/,
    ],
    [
      "a token without the scope",
      refusing(403),
      ["token"],
      /^The server refuses this cred.* \(403\).*passes\.read/,
    ],
    [
      "an unknown reference",
      refusing(404),
      ["token"],
      /^The server has no pass at .*\/passes\/ref-1 \(404\): nothing/,
    ],
    ["a pass that is gone", refusing(410), ["token"], /^The server has no pass at .* \(410\): nothing could/],
    [
      "a server that switches the protocol",
      { early: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n" },
      ["token"],
      /^http:\S+ gives no answer \(101 Switching Protocols/,
    ],
  ])("%s", async (_, breach, credentials, line) => {
    const server = await startPassServer(breach);
    const junit = join(files.path, "not-made.xml");
    const args = argsFor(server.url).slice(0, credentials.length === 0 ? 3 : 5);
    const [plain, json] = [
      await runOperator(["check-pass", ...args, "--junit", junit]),
      await runOperator(["check-pass", ...args, "--json"]),
    ];
    expect([plain.code, plain.stdout]).toEqual([2, ""]);
    expect(plain.stderr).toMatch(line);
    expect(plain.stderr.match(/\n/g)).toHaveLength(1);
    expect([json.code, json.stderr]).toEqual([2, plain.stderr]);
    const verdicts = (JSON.parse(json.stdout) as { verdict: string }[]).map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(["not checked"]));
    expect(await readFile(junit, "utf8")).toMatch(/ failures="0" errors="1" /);
  });
});

describe("the report of a check", () => {
  const breach: Traits = { isNamed: (header, tag) => header?.includes(tag) ?? false };

  test("says of a broken rule first why it is one, with a curl line that shows it", async () => {
    const server = await startPassServer(breach);
    const { code, stdout } = await runOperator(["check-pass", ...argsFor(server.url), "--strict"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^fail +\* matches any pass that exists\nlevel +RFC\nexpected +304\nseen +200\nwhy +.*RFC 9110 13\.1\.2/,
    );
    const line = /^ {2}(curl .*)$/m.exec(stdout)?.[1] ?? "";
    expect(line).not.toContain(TOKENS.good);
    const { stdout: shown } = await promisify(execFile)("sh", ["-c", line.replace("curl ", "curl -s ")]);
    expect(shown).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("warns of a broken rule of an RFC, and ends with 0 unless it is strict", async () => {
    const server = await startPassServer(breach);
    const { code, stdout } = await runOperator(["check-pass", ...argsFor(server.url)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warn +\* matches any pass that exists\nlevel +RFC\n/);
    expect(stdout).toMatch(/^\d+ pass, 1 warn, 0 fail, \d+ not checked$/m);
  });

  test("has no colour unless it is asked for", async () => {
    const server = await startPassServer(tagless);
    const shown = async (env: Record<string, string>) =>
      (await runOperator(["check-pass", ...argsFor(server.url)], { env })).stdout.includes("\u001b[");
    expect(await shown({})).toBe(false);
    expect(await shown({ FORCE_COLOR: "1" })).toBe(true);
    expect(await shown({ FORCE_COLOR: "0" })).toBe(false);
    expect(await shown({ NO_COLOR: "1" })).toBe(false);
  });

  test("cannot be written where there is no place for it, and is then still printed", async () => {
    const server = await startPassServer();
    const junit = join(files.path, "absent", "report.xml");
    const run = await runOperator(["check-pass", ...argsFor(server.url), "--junit", junit]);
    expect(run).toMatchObject({ code: 2, stderr: `${junit} cannot be written (ENOENT).\n` });
    expect(run.stdout).toMatch(/ 0 fail, /);
  });
});

describe("a slip on the command line is answered in one line", () => {
  test.each([
    ["/passes", /^Leave \/passes out of "/],
    ["/api/passes/", /^Leave \/passes\/ out of "/],
    ["/passes/ref-1", /^Leave \/passes\/ref-1 out of "/],
    ["/api/passes/ref%2D1", /^Leave \/passes\/ref%2D1 out of "/],
    // An address may end like this, and a server that has no pass there says so.
    ["/passes/v1", /has no pass at http:\S+\/passes\/v1\/passes\/ref-1 \(404\)/],
  ])("an address that ends in %s", async (path, message) => {
    const server = await startPassServer({
      change: (answer) => ({ ...answer, status: 404 }),
    });
    const run = await runOperator(["check-pass", ...argsFor(`${server.url}${path}`)]);
    expect(run).toMatchObject(failing(message));
  });

  test("https:// where the server speaks plain HTTP", async () => {
    const server = createHttpServer();
    const url = `https://127.0.0.1:${await listenOnLoopback(server)}`;
    const run = await runOperator(["check-pass", ...argsFor(url)]);
    expect(run).toMatchObject(failing("speaks plain http://"));
    server.close();
  });

  const plain = ["http://127.0.0.1:9", "--reference", "r"];

  test.each([
    [["--version-header", "bad header"], /name of a header/],
    [["--contract-version", "2026\n07"], /visible ASCII/],
    [["--reference", ""], /must name a pass/],
    [["--reference", ".."], /must name a pass/],
    [["--timeout", "0"], /from 1 to 86400/],
  ])("%o", async (more, message) => {
    const { code, stdout, stderr } = await runOperator(["check-pass", ...plain, ...more]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(
      stderr
        .trim()
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("(add")),
    ).toHaveLength(1);
  });

  test("an address that has /passes already", async () => {
    const { code, stderr } = await runOperator(["get", "pass", "r", "--url", "http://127.0.0.1:9/passes"]);
    expect([code, stderr]).toEqual([
      2,
      'Leave /passes out of "http://127.0.0.1:9/passes": the command adds it.\n',
    ]);
  });

  test.each(["", "x".repeat(3000), ".."])("a reference that no pass can have", async (reference) => {
    const { code, stderr } = await runOperator(["passes", "void", reference, "--yes", "--data", files.path]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^No pass can have this reference: .*\n$/)]);
  });

  test("--by for a key", async () => {
    const args = ["keys", "create", "passes", "--jwk", "k", "--by", "subject", "--data", files.path];
    expect(await runOperator(args)).toMatchObject(failing("--by is for certificates"));
  });
});

describe("get pass --follow", () => {
  const follow = (url: string, ...more: string[]): string[] => [
    "get",
    "pass",
    REFERENCES.current,
    "--url",
    url,
    "--token-file",
    tokenFile,
    "--follow",
    "--every",
    "1",
    ...more,
  ];
  const passOf = (reference: string, version: number): string =>
    `{"partner_reference":"${reference}",\n"type":"x","version":${version}}`;

  test("prints each state of the pass, tells each answer and what changed, and goes on until it is gone", async () => {
    const answers: readonly Traits["change"][] = [
      (answer) => answer,
      (answer) => ({ ...answer, status: 401, body: "" }),
      (answer) => ({ ...answer, status: 503, body: "" }),
      (answer, _, state) => {
        state.version = 2;
        return answer;
      },
      (answer) => answer,
      (answer) => ({ ...answer, status: 410 }),
    ];
    const change: Traits["change"] = (answer, request, state) =>
      answers[state.requests.length - 1]?.(answer, request, state) ?? answer;
    const server = await startPassServer({ passOf, change });
    const { code, stdout, stderr } = await runOperator(follow(server.url));
    await server.close();
    const lineOf = (version: number): string => passOf(REFERENCES.current, version).replace("\n", " ");
    expect([code, stdout]).toEqual([0, `${lineOf(1)}\n${lineOf(2)}\n`]);
    const told = stderr.trimEnd().split("\n");
    expect(
      told.map((line) => line.replace(/^\d{4}-\S+Z/, "T").replace(/^GET .*: 401 .*\. It/, "GET … It")),
    ).toEqual([
      "T  200  the pass",
      '  + partner_reference: "ref-1"',
      '  + type: "x"',
      "  + version: 1",
      "T  401  not the pass",
      "GET … It is tried again at the next look.",
      "T  503  not the pass",
      "T  304  unchanged",
      "T  200  the pass",
      "    version: 1 -> 2",
      "T  410  the pass is gone",
    ]);
  }, 30_000);

  test("knows again that a pass is gone, whatever its reference is", async () => {
    const server = await startPassServer({ change: (answer) => ({ ...answer, status: 410 }) });
    const args = follow(server.url, "--resume", join(files.path, "gone.json")).with(2, "__proto__");
    await runOperator(args);
    const again = await runOperator(args);
    await server.close();
    expect(again).toMatchObject({ code: 0, stdout: "", stderr: "Nothing new: the pass was gone already.\n" });
  });

  test("delivers the change that a kill cut off, under the same id, before the next one", async () => {
    const server = await startPassServer({ passOf });
    const received: { readonly id: unknown; readonly body: string }[] = [];
    let arrived = Promise.withResolvers<void>();
    const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      received.push({ id: request.headers["webhook-id"], body: await bodyText(request) });
      if (received.length > 1) response.end();
      if (received.length !== 2) arrived.resolve();
    };
    const receiver = createHttpServer((request, response) => void receive(request, response));
    const hook = `http://127.0.0.1:${await listenOnLoopback(receiver)}/`;
    await writeFile(join(files.path, "secret"), `whsec_${Buffer.alloc(32, 7).toString("base64")}`);
    const delivering = ["--post", hook, "--secret-file", join(files.path, "secret")];
    const args = follow(server.url, ...delivering, "--resume", join(files.path, "resume.json"));
    const killed = startOperator(args);
    await arrived.promise;
    killed.child.kill("SIGKILL");
    await killed.ended;
    arrived = Promise.withResolvers();
    server.state.version = 2;
    const next = startOperator(args);
    await arrived.promise;
    next.child.kill("SIGINT");
    expect(await next.ended).toMatchObject({ code: 130 });
    receiver.closeAllConnections();
    receiver.close();
    const [first, again, changed] = received;
    expect(again).toEqual(first);
    expect(first?.body).toMatch(/^\{"type":"pass\.changed","timestamp":"[^"]*Z","data":\{.*"version":1\}\}$/);
    expect(changed?.id).not.toBe(first?.id);
    expect(changed?.body).toContain('"version":2');
  }, 30_000);

  test("does not take a pass that was never there for one that is gone, and delivers nothing of it", async () => {
    const server = await startPassServer({ change: (answer) => ({ ...answer, status: 404 }) });
    await writeFile(join(files.path, "secret"), `whsec_${Buffer.alloc(32, 7).toString("base64")}`);
    // Nobody takes a delivery there: it would be tried without an end.
    const delivering = ["--post", "http://127.0.0.1:9/", "--secret-file", join(files.path, "secret")];
    const never = follow(server.url, ...delivering, "--resume", join(files.path, "never.json"));
    for (const _ of ["at first", "with what was kept"])
      expect(await runOperator(never)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^\S+ {2}404 {2}there is no such pass\nNot there: ref-1\n$/),
      });
  }, 30_000);

  test("does not ask again while a Retry-After of many years lasts, and can be stopped then", async () => {
    const change = () => ({ status: 429, headers: { "retry-after": "999999999" }, body: "" });
    const server = await startPassServer({ change });
    const { child, ended } = startOperator(follow(server.url));
    await once(child.stderr, "readable");
    // A second command's whole life is more than enough for a poller that does not wait.
    await runOperator(["get", "pass", "--help"]);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/: 429 .* It is asked again in 86400 s\.\n$/),
    });
    expect(server.state.requests).toHaveLength(1);
  });
});
