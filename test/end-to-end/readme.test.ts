import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endOf, type Started, watch } from "../support/child-program.ts";
import { projectRoot, projectText } from "../support/project.ts";

/** A command that the README gives, without the installation that this test runs in. */
async function readmeCommand(command: string): Promise<string> {
  const lines = projectText("README.md").split("\n");
  expect(lines).toContain(`npm ci && ${command}`);
  return command;
}

describe("the README's start command", () => {
  let workDirectory: string;
  let dataDir: string;
  let service: Started;

  beforeAll(async () => {
    workDirectory = await mkdtemp(join(tmpdir(), "countinghouse-readme-"));
    dataDir = join(workDirectory, ".countinghouse");
    const command = await readmeCommand("npm start");
    const options = ["--port", "0", "--data", dataDir, "--base-path", "/api"];
    const words = ["-c", `exec ${command} -- "$@"`, "bash", ...options];
    // A process group of its own: a terminal's Ctrl-C reaches npm and all that it started.
    service = watch(
      spawn("bash", words, { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"], detached: true }),
    );
    await service.said("Ctrl-C stops it.");
  });
  afterAll(async () => {
    await service.interrupt();
    await rm(workDirectory, { recursive: true });
  });

  test("answers the README's own request as the README shows, on another day", async () => {
    const readme = projectText("README.md");
    const [, line = "", shown] = /```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```/s.exec(readme) ?? [];
    const { baseUrl } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
    const here = line.replace("./.countinghouse", dataDir).replace("http://127.0.0.1:3000", baseUrl);
    const { output, errors } = await endOf(spawn("bash", ["-c", here], { cwd: projectRoot }));
    expect(shown).toMatch(/^\{"id":/);
    const withoutDays = (body = "") => body.replace(/\d{4}-\d\d-\d\dT/g, "");
    expect({ errors, body: withoutDays(output) }).toEqual({ errors: "", body: withoutDays(shown) });
  });

  test("ends with Ctrl-C, after the requests in flight", async () => {
    const { output } = await service.interrupt();
    expect(output.trimEnd().split("\n").at(-1)).toMatch(/^Finishing the requests in flight/);
  });
});
