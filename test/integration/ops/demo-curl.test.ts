import { beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../infra/endpoints.ts";
import { runScript } from "../../support/run-script.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { pastedStatus, startCommand } from "../../support/started-service.ts";

const { PATH = "" } = process.env;
const demoCurl = (dataDir: string, ...more: string[]) =>
  runScript("ops/main.ts", ["demo", "curl", "--data", dataDir, ...more], { PATH });
const linesOf = (stdout: string): string[] => stdout.split("\n").filter((line) => line.startsWith("curl "));

describe("demo curl", () => {
  const dataDir = scratchDirectory();
  beforeAll(async () => {
    const service = await startCommand(["--port", "0", "--data", dataDir]);
    const { stdout, stderr } = await demoCurl(dataDir, "--shell", "sh");
    expect(stderr).toBe("");
    // The pass callback has one for each kind of credential.
    expect(linesOf(stdout)).toHaveLength(endpoints.length + 2);
    for (const line of linesOf(stdout)) expect(await pastedStatus(line)).toBe("200");
    await service.stop();
  });

  test("prints lines that work when they are pasted, and says so once no service runs", async () => {
    const { code, stdout, stderr } = await demoCurl(dataDir);
    expect([code, linesOf(stdout).length, stderr]).toEqual([
      0,
      endpoints.length + 2,
      `No \`npm start\` runs on ${dataDir} now; the lines work once one does.\n`,
    ]);
  });

  test("prints a JSON list for programs", async () => {
    const { stdout } = await demoCurl(dataDir, "--json");
    expect(JSON.parse(stdout)).toContainEqual({
      endpoint: "get-pass",
      credential: "mutual TLS",
      line: expect.stringContaining("--cacert"),
    });
  });

  test.each([
    ["powershell", " -split ' ')"],
    ["cmd", 'for /f "usebackq delims="'],
  ])("prints the lines of %s", async (shell, piece) => {
    expect((await demoCurl(dataDir, "--shell", shell)).stdout).toContain(piece);
  });

  test("refuses a directory on which nothing was ever started", async () => {
    const empty = scratchDirectory();
    expect(await demoCurl(empty)).toEqual({
      code: 2,
      stdout: "",
      stderr: `${empty} has no demo credentials. Run \`npm start\` once, or name its directory with --data.\n`,
    });
  });
});
