import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Finding } from "../../../ops/checks/rule.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { failing, runOperator, startOperator, temporaryDirectory } from "../../support/operator.ts";

const files = await temporaryDirectory();
afterAll(() => files[Symbol.asyncDispose]());

/** A client of the ramp in one expression, which may use `get()`: one request for the order. */
const clientOf = (code: string): readonly string[] => [
  process.execPath,
  "--input-type=module",
  "--eval",
  `const { BASE_URL, ORDER_ID, RAMP_API_KEY } = process.env;
   const get = () => fetch(BASE_URL + "/sell-orders/" + ORDER_ID, { headers: { "X-API-KEY": RAMP_API_KEY }, redirect: "manual" });
   ${code}`,
];

const ramp = (...args: readonly string[]) => runOperator(["check-client", "--interface", "ramp", ...args]);
const findingsIn = (stdout: string) =>
  Object.fromEntries((JSON.parse(stdout) as Finding[]).map((finding) => [finding.id, finding]));

describe("check-client", () => {
  // A check mostly waits, as it tells its client to.
  test.concurrent("ends strictly with 1 when a rule is broken, and says for programs and build servers which", async () => {
    const junit = join(files.path, "report.xml");
    const once = 'const response = await get(); if (!response.ok) throw new Error("no order");';
    const args = ["--strict", "--json", "--junit", junit, "--", ...clientOf(once)];
    const { code, stdout, stderr } = await ramp(...args);
    expect(code).toBe(1);
    const broken = { verdict: "fail", advice: expect.any(String) };
    expect(findingsIn(stdout)).toMatchObject({
      "ramp/429-repeated": broken,
      "ramp/503-repeated": broken,
      "ramp/cut-repeated": broken,
      "ramp/401-stops": { verdict: "pass" },
      "ramp/digits": { verdict: "not checked" },
    });
    expect(stderr).toMatch(/^ {3}1 +\+\d+\.\d{3} +\/sell-orders\/\S+ +429, wait 1500 ms$/m);
    const xml = await readFile(junit, "utf8");
    expect(xml).toContain('<testsuite name="check-client ');
    expect(xml).toContain('classname="check-client.ramp/429-repeated"');
  }, 40_000);

  test.concurrent("ends a client that waits a thousand times too long, and warns of it where no contract has the unit", async () => {
    const patient = "await get(); await new Promise((resolve) => setTimeout(resolve, 1_500_000));";
    const { code, stdout } = await ramp("--patience", "3", "--json", "--", ...clientOf(patient));
    expect(code).toBe(0);
    expect(findingsIn(stdout)["ramp/429-unit"]).toMatchObject({
      level: "RFC",
      verdict: "warn",
      seen: "more than 3000 ms of silence after request 1, which asked for 1500 ms",
    });
  }, 90_000);

  test.concurrent("reads the client's own copy from a file", async () => {
    const copy = join(files.path, "copy.csv");
    const saving = `import { appendFileSync } from "node:fs";
      const response = await get();
      if (response.ok) appendFileSync(${JSON.stringify(copy)}, JSON.stringify(await response.json()) + "\\n");
      process.exitCode = response.ok ? 0 : 1;`;
    await writeFile(copy, "");
    const { stdout } = await ramp("--json", "--copy", copy, "--", ...clientOf(saving));
    expect(findingsIn(stdout)["ramp/digits"]).toMatchObject({
      verdict: "fail",
      seen: expect.stringMatching(/^[\d.]{20,} became [\d.]+$/),
    });
  }, 40_000);

  test.concurrent("says with --tomorrow what breaks COMMAND, after which request, and with which error", async () => {
    const fragile = `
      let order;
      do order = await (await get()).json(); while (order.wallet === undefined);
      if (order.status !== "COMPLETED") throw new TypeError("no status " + order.status);`;
    const { code, stdout, stderr } = await ramp("--tomorrow", "--json", "--", ...clientOf(fragile));
    expect(code).toBe(1);
    const broken = (JSON.parse(stdout) as Finding[]).filter(({ verdict }) => verdict === "fail");
    expect(broken.map(({ id, seen }) => `${id}: ${seen}`)).toEqual([
      expect.stringMatching(/^get-sell-order\/absent-member\/wallet: it had to be ended after request \d+$/),
      expect.stringMatching(
        /^get-sell-order\/new-word\/status: it ended with 1 after request \d+: TypeError: no status ADDED_LATER$/,
      ),
    ]);
    expect(stderr).toContain("\nTomorrow: get-sell-order, `wallet` is gone.\n");
  }, 40_000);

  const program = (code: string) => ["--", process.execPath, "--eval", code];

  test.each<[what: string, args: readonly string[], stderr: RegExp]>([
    ["COMMAND is not there", ["--", "no-such-program"], /^no-such-program cannot be started \(ENOENT\)\.\n$/],
    ["COMMAND asks nothing", program(""), /^No request came, so nothing could be checked\. .*BASE_URL.*\n$/],
    [
      "COMMAND prints without an end",
      program('process.stdout.write("x".repeat(2 ** 25))'),
      /^The client printed more than 16 MB in one run\. .*--copy\.\n$/,
    ],
    [
      "COMMAND fails where nothing is changed",
      ["--tomorrow", "--", ...clientOf("await get(); process.exit(3);")],
      /\nThe client fails where nothing is changed: it ended with 3 after request 1\. Check it without --tomorrow first\.\n$/,
    ],
    [
      "--tomorrow has no COMMAND",
      ["--tomorrow"],
      /^--tomorrow needs COMMAND after --: how it ends shows what broke it\.\n$/,
    ],
  ])("ends with 2 and one line when %s", async (_, args, stderr) => {
    expect(await ramp(...args)).toMatchObject(failing(stderr));
  });

  test("ends with 2 and one line when its port is taken", async () => {
    const server = createServer();
    const taken = await ramp("--port", String(await listenOnLoopback(server)));
    server.close();
    expect(taken).toMatchObject(
      failing(
        /^Port \d+ is taken: stop the program that uses it, or choose another with --port, 0 for any free one\.\n$/,
      ),
    );
  });

  test("ends when COMMAND has ended, though a process that it leaves behind holds its output open", async () => {
    const pid = join(files.path, "pid");
    const leaving = `
      const { spawn } = require("node:child_process");
      const waiting = [process.execPath, ["--eval", "setTimeout(() => {}, 60_000)"]];
      const left = spawn(...waiting, { detached: true, stdio: "inherit" });
      require("node:fs").writeFileSync(${JSON.stringify(pid)}, String(left.pid));
      left.unref();`;
    const { code } = await ramp("--", process.execPath, "--eval", leaving);
    process.kill(Number(await readFile(pid, "utf8")));
    expect(code).toBe(2);
  });

  test("ends COMMAND with all its child processes at Ctrl-C, with 130", async () => {
    // The sleeping process holds the output of COMMAND open for as long as it runs.
    const script = 'sleep 600 & curl -s "$BASE_URL/sell-orders/$ORDER_ID"; wait';
    const { child, ended } = startOperator(["check-client", "--", "bash", "-c", script]);
    await once(child.stderr, "data");
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
  });

  test("leaves no credentials behind after Ctrl-C while it starts", async () => {
    await using place = await temporaryDirectory();
    const { child, ended } = startOperator(["check-client"], { env: { TMPDIR: place.path } });
    await vi.waitUntil(async () => (await readdir(place.path)).length > 0, { timeout: 20_000, interval: 1 });
    child.kill("SIGINT");
    expect((await ended).code).toBe(2);
    expect(await readdir(place.path)).toEqual([]);
  }, 30_000);

  test("without COMMAND says how to point a client at it, and judges at Ctrl-C", async () => {
    const { child, ended } = startOperator(["check-client", "--interface", "ramp", "--strict", "--json"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    while (!said.includes("Ctrl-C")) said += String((await once(child.stderr, "data"))[0]);
    const variables = Object.fromEntries(
      Array.from(said.matchAll(/^ {2}export (\w+)='(.*)'$/gm), ([, name, value]) => [name, value ?? ""]),
    );
    const demoFile = variables.DEMO_FILE ?? "";
    const demo = JSON.parse(await readFile(demoFile, "utf8"));
    expect(demo).toMatchObject({ baseUrl: variables.BASE_URL, ramp: { apiKey: variables.RAMP_API_KEY } });
    const headers = { "X-API-KEY": demo.ramp.apiKey };
    const url = `${demo.baseUrl}/sell-orders/${demo.ramp.orderId}`;
    expect((await fetch(url, { headers })).status).toBe(429);
    const order = await (await fetch(url, { headers })).text();
    await fetch(`${demo.baseUrl}/understood`, { method: "POST", body: order });
    child.kill("SIGINT");
    const { code, stdout } = await ended;
    expect(code).toBe(1);
    expect(findingsIn(stdout)).toMatchObject({
      "ramp/429-not-early": { verdict: "fail" },
      "ramp/429-repeated": { verdict: "pass" },
      "ramp/digits": { verdict: "pass" },
      "ramp/503-repeated": { verdict: "not checked" },
    });
    expect(existsSync(dirname(demoFile))).toBe(false);
  });
});
