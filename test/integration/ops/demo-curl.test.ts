import { beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../infra/endpoints.ts";
import { startService } from "../../../local/local-service.ts";
import { filledDataDirectory } from "../../support/filled-demo.ts";
import { runOperator } from "../../support/operator.ts";
import { pastedStatus } from "../../support/printed-curl.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { serviceOptions, silent } from "../../support/service-options.ts";

const demoCurl = (dataDir: string, ...more: string[]) =>
  runOperator(["demo", "curl", "--data", dataDir, ...more]);
const linesOf = (stdout: string): string[] => stdout.split("\n").filter((line) => line.startsWith("curl "));

describe("demo curl", () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await filledDataDirectory();
    const service = await startService(serviceOptions(dataDir), silent);
    const { stdout, stderr } = await demoCurl(dataDir, "--shell", "sh");
    expect(stderr).toBe("");
    // The pass callback has one for each kind of credential.
    expect(linesOf(stdout)).toHaveLength(endpoints.length + 2);
    for (const line of linesOf(stdout)) expect(await pastedStatus(line)).toBe("200");
    // The lines that sign, and one whose token has expired by then.
    expect(await runOperator(["demo", "time", "+31d", "--data", dataDir])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^20\S+Z\nIt is 31 d 0 h ahead of the machine's: .* demo reset .*\n$/),
      stderr: expect.stringMatching(/^The tokens of demo.json have expired: .*\n$/),
    });
    const token = linesOf(stdout).find((line) => line.includes("Bearer"));
    const signed = linesOf(stdout).filter((line) => line.includes("$("));
    expect(signed).toHaveLength(2);
    for (const line of signed) expect(await pastedStatus(line)).toBe("200");
    expect(await pastedStatus(token ?? "")).toBe("401");
    await service.close();
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
    expect(await demoCurl(empty)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `${empty} has no demo credentials. Run \`npm start\` once, or name its directory with --data.\n`,
    });
  });
});
