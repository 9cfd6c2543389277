import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { runOperator, startOperator } from "../../support/operator.ts";

/** The arguments of the check-pass line that a partner prints, as a shell would split them. */
const argsIn = (said: string): string[] => {
  const line = (/check-pass .*?--burst \d+/s.exec(said)?.[0] ?? "").replaceAll("\\\n", " ");
  return Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? "");
};

describe("demo partner", () => {
  test("prints a check-pass line that finds its fault, and takes its credentials with it", async () => {
    const { child, ended } = startOperator(["demo", "partner", "--fault", "no-410"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    while (!said.includes("Ctrl-C")) said += String((await once(child.stdout, "data"))[0]);
    expect(said).toContain("has a fault: it answers 404 for a pass that is gone for good.");
    const args = argsIn(said);
    const { code, stdout } = await runOperator([...args.slice(0, -2), "--json"]);
    expect(code).toBe(1);
    const failed = (JSON.parse(stdout) as { id: string; verdict: string }[]).filter(
      ({ verdict }) => verdict === "fail",
    );
    expect(failed.map(({ id }) => id)).toEqual(["410-gone"]);
    const tokenFile = args[args.indexOf("--token-file") + 1] ?? "";
    expect(existsSync(tokenFile)).toBe(true);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(existsSync(dirname(tokenFile))).toBe(false);
  }, 30_000);

  test("says that the port is taken, and which faults there are", async () => {
    const server = createServer();
    const port = String(await listenOnLoopback(server));
    const taken = await runOperator(["demo", "partner", "--port", port]);
    server.close();
    expect([taken.code, taken.stdout]).toEqual([2, ""]);
    expect(taken.stderr).toMatch(
      /^Port \d+ is taken: stop the program that uses it, or choose another with --port, 0 for any free one\.\n$/,
    );
    const unknown = await runOperator(["demo", "partner", "--fault", "none"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("no-304, no-tag, wrong-tag, other-pass");
  });
});
