import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { mixedEndpoints } from "../../bench/soak/mix.ts";

/** Runs what `npm run bench -- soak` runs. */
async function runSoak(options: readonly string[]) {
  const words = ["--import", "./local/require-node.mjs", "bench/soak/main.ts", ...options];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code };
}

describe("a soak of some seconds", () => {
  let run: Awaited<ReturnType<typeof runSoak>>;
  beforeAll(async () => {
    run = await runSoak(["--minutes", "0.2", "--per-second", "4"]);
  });

  it("has every request answered and every chore done, and ends well", () => {
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain("good  answers: 0 answers");
    expect(run.stdout).toContain("good  chores: 0 imports or rotations failed");
  });

  it("prints its rows, the chores that were done, and the latency of each endpoint", () => {
    // How many there are by then is the machine's affair.
    expect(run.stdout).toMatch(/^Meanwhile: import transactions [1-9]/m);
    for (const endpoint of mixedEndpoints) expect(run.stdout).toMatch(new RegExp(`^${endpoint} +[1-9]`, "m"));
    expect(run.stdout.match(/^ +0\.\d /gm)?.length).toBeGreaterThanOrEqual(2);
  });
});
