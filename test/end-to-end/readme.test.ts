import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";

const projectRoot = join(import.meta.dirname, "../..");

/** What a shell makes of a line: its output, its errors and its exit code. */
async function shell(line: string): Promise<{ output: string; errors: string; code: number | null }> {
  const child = spawn("bash", ["-c", line], { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { output, errors, code: child.exitCode ?? (await once(child, "exit"))[0] };
}

/** A command that the README gives, without the installation that this test runs in. */
async function readmeCommand(command: string): Promise<string> {
  const lines = (await readFile(join(projectRoot, "README.md"), "utf8")).split("\n");
  expect(lines).toContain(`npm ci && ${command}`);
  return command;
}

/** Everything that a process has printed, and the wait for a line of it. */
function watch(child: ChildProcess) {
  let printed = "";
  const waiting: { wanted: string; resolve: () => void }[] = [];
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
    for (const { wanted, resolve } of waiting) if (printed.includes(wanted)) resolve();
  });
  return {
    printed: () => printed,
    said: (wanted: string) => new Promise<void>((resolve) => waiting.push({ wanted, resolve })),
  };
}

describe("the README's start command", () => {
  let workDirectory: string;
  let dataDir: string;
  let service: ChildProcess;
  let terminal: ReturnType<typeof watch>;

  beforeAll(async () => {
    workDirectory = await mkdtemp(join(tmpdir(), "countinghouse-readme-"));
    dataDir = join(workDirectory, ".countinghouse");
    const command = await readmeCommand("npm start");
    const options = ["--port", "0", "--data", dataDir, "--base-path", "/api"];
    service = spawn("bash", ["-c", `exec ${command} -- "$@"`, "bash", ...options], {
      cwd: projectRoot,
      stdio: ["ignore", "pipe", "inherit"],
      // A process group of its own: a terminal's Ctrl-C reaches npm and all that it started.
      detached: true,
    });
    terminal = watch(service);
    await terminal.said("Ctrl-C stops it.");
  });
  afterAll(async () => {
    await pressCtrlC();
    await rm(workDirectory, { recursive: true });
  });

  /** Resolves when npm, and all that it started, has let go of the terminal. */
  async function pressCtrlC(): Promise<void> {
    if (service.stdout === null || service.stdout.closed) return;
    const released = once(service.stdout, "close");
    process.kill(-(service.pid as number), "SIGINT");
    await released;
  }

  test("names the command that prints a curl line for every endpoint, and each works when pasted", async () => {
    const [, command] = /: (npm run ops -- demo curl .*)/.exec(terminal.printed()) ?? [];
    const { output: printed } = await shell(command ?? "");
    const lines = printed.split("\n").filter((line) => line.startsWith("curl "));
    // The pass callback has one for each kind of credential.
    expect(lines).toHaveLength(endpoints.length + 2);
    for (const line of lines) {
      const { output, errors, code } = await shell(`${line} -w '\\n%{http_code}'`);
      expect({ errors, code, status: output.split("\n").at(-1) }).toEqual({
        errors: "",
        code: 0,
        status: "200",
      });
      expect(() => JSON.parse(output.slice(0, output.lastIndexOf("\n")))).not.toThrow();
    }
  });

  test("answers the README's own request as the README shows, on another day", async () => {
    const readme = await readFile(join(projectRoot, "README.md"), "utf8");
    const [, line = "", shown] = /```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```/s.exec(readme) ?? [];
    const { baseUrl } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
    const here = line.replace("./.countinghouse", dataDir).replace("http://127.0.0.1:3000", baseUrl);
    const { output, errors } = await shell(here);
    expect(shown).toMatch(/^\{"id":/);
    const withoutDays = (body = "") => body.replace(/\d{4}-\d\d-\d\dT/g, "");
    expect({ errors, body: withoutDays(output) }).toEqual({ errors: "", body: withoutDays(shown) });
  });

  test("writes what callers need for the owner's eyes only", async () => {
    expect((await stat(join(dataDir, "demo.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "issuer-key.json"))).mode & 0o777).toBe(0o600);
    const demo = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
    expect(demo.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
    expect(Object.keys(demo.business.types)).toHaveLength(16);
  });

  test("what the operator imports beside it is served at once", async () => {
    const { baseUrl, business } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
    const record = `{"id":"imported","type":"fee","state":"pending","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","legs":[{"leg_id":"leg-1","amount":-0.10,"currency":"GBP","account_id":"account-1"}]}`;
    const imported = await shell(
      `printf '%s\\n' '${record}' | npm run --silent ops -- import transactions --business ${business.id} - --data ${dataDir}`,
    );
    expect(imported).toMatchObject({ code: 0 });
    const headers = { authorization: `Bearer ${business.token}` };
    expect(await (await fetch(`${baseUrl}/transaction/imported`, { headers })).text()).toBe(record);
  });

  test("ends with Ctrl-C, after the requests in flight", async () => {
    await pressCtrlC();
    expect(terminal.printed().trimEnd().split("\n").at(-1)).toMatch(/^Finishing the requests in flight/);
  });
});
