import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Finding } from "../../../ops/checks/rule.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { runOperator, startOperator, temporaryDirectory } from "../../support/operator.ts";

let files: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeAll(async () => {
  files = await temporaryDirectory();
});
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

/** A client that repeats after a second, and prints the order. */
const RETRYING = `
  let response;
  for (let pause = 1500; ; pause *= 2) {
    try { response = await get(); if (response.status !== 429 && response.status !== 503) { await response.clone().text(); break; } } catch {}
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;`;

const ramp = (...args: readonly string[]) => runOperator(["check-client", "--interface", "ramp", ...args]);
const verdictsOf = (stdout: string): Record<string, string> =>
  Object.fromEntries((JSON.parse(stdout) as Finding[]).map(({ id, verdict }) => [id, verdict]));

describe("check-client", () => {
  // A check mostly waits, as it tells its client to.
  test.concurrent("starts COMMAND for each scene, reads its output, and ends with 0 when nothing failed", async () => {
    const { code, stdout, stderr } = await ramp("--", ...clientOf(RETRYING));
    expect(stdout).toMatch(/^\d+ pass, 0 warn, 0 fail, 0 not checked$/m);
    expect(stdout).toMatch(/^pass +contract +ramp: Every amount keeps its digits/m);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^ {3}1 +\+\d+\.\d{3} +\/sell-orders\/\S+ +429, wait 1500 ms$/m);
  }, 40_000);

  test.concurrent("ends strictly with 1 when a rule is broken, and says for programs and build servers which", async () => {
    const junit = join(files.path, "report.xml");
    const once = 'const response = await get(); if (!response.ok) throw new Error("no order");';
    const { code, stdout } = await ramp("--strict", "--json", "--junit", junit, "--", ...clientOf(once));
    expect(code).toBe(1);
    const verdicts = verdictsOf(stdout);
    expect(verdicts).toMatchObject({
      "ramp/429-repeated": "fail",
      "ramp/503-repeated": "fail",
      "ramp/cut-repeated": "fail",
      "ramp/401-stops": "pass",
      "ramp/digits": "not checked",
    });
    const broken = (JSON.parse(stdout) as Finding[]).filter(({ verdict }) => verdict === "fail");
    for (const { advice } of broken) expect(advice).toBeDefined();
    const xml = await readFile(junit, "utf8");
    expect(xml).toContain('<testsuite name="check-client ');
    expect(xml).toContain('classname="check-client.ramp/429-repeated"');
  }, 40_000);

  test.concurrent("ends a client that waits a thousand times too long, and warns of it where no contract has the unit", async () => {
    const patient = "await get(); await new Promise((resolve) => setTimeout(resolve, 1_500_000));";
    const { code, stdout } = await ramp("--patience", "3", "--json", "--", ...clientOf(patient));
    expect(code).toBe(0);
    const finding = (JSON.parse(stdout) as Finding[]).find(({ id }) => id === "ramp/429-unit");
    expect(finding).toMatchObject({
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
    const finding = (JSON.parse(stdout) as Finding[]).find(({ id }) => id === "ramp/digits");
    expect(finding).toMatchObject({
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

  test("ends with 2 and one line when nothing can be checked", async () => {
    const missing = await ramp("--", "no-such-program");
    expect([missing.code, missing.stdout]).toEqual([2, ""]);
    expect(missing.stderr).toBe("no-such-program cannot be started (ENOENT).\n");
    const idle = await ramp("--", process.execPath, "--version");
    expect([idle.code, idle.stdout]).toEqual([2, ""]);
    expect(idle.stderr).toMatch(/^No request came, so nothing could be checked\. .*BASE_URL.*\n$/);
    const loud = await ramp("--", process.execPath, "--eval", 'process.stdout.write("x".repeat(2 ** 25))');
    expect([loud.code, loud.stdout]).toEqual([2, ""]);
    expect(loud.stderr).toMatch(/^The client printed more than 16 MB in one run\. .*--copy\.\n$/);
    const failing = await ramp("--tomorrow", "--", ...clientOf("await get(); process.exit(3);"));
    expect([failing.code, failing.stdout]).toEqual([2, ""]);
    expect(failing.stderr).toContain(
      "The client fails where nothing is changed: it ended with 3 after request 1. Check it without --tomorrow first.\n",
    );
    const alone = await ramp("--tomorrow");
    expect([alone.code, alone.stderr]).toEqual([
      2,
      "--tomorrow needs COMMAND after --: how it ends shows what broke it.\n",
    ]);
    const server = createServer();
    const taken = await ramp("--port", String(await listenOnLoopback(server)));
    server.close();
    expect(taken.code).toBe(2);
    expect(taken.stderr).toMatch(
      /^Port \d+ is taken: stop the program that uses it, or choose another with --port, 0 for any free one\.\n$/,
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
    const { child, ended } = startOperator([
      "check-client",
      "--interface",
      "ramp",
      "--",
      "bash",
      "-c",
      script,
    ]);
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
    expect(verdictsOf(stdout)).toMatchObject({
      "ramp/429-not-early": "fail",
      "ramp/429-repeated": "pass",
      "ramp/digits": "pass",
      "ramp/503-repeated": "not checked",
    });
    expect(existsSync(dirname(demoFile))).toBe(false);
  });
});
