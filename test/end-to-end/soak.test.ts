import { spawn } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { mixedEndpoints } from "../../bench/soak/mix.ts";
import { type Ended, endOf } from "../support/child-program.ts";

/** Runs what `npm run bench -- soak` runs. */
function runSoak(options: readonly string[]): Promise<Ended> {
  const words = ["--import", "./local/require-node.mjs", "bench/soak/main.ts", ...options];
  return endOf(spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] }));
}

describe("a soak of some seconds", () => {
  let run: Ended;
  beforeAll(async () => {
    run = await runSoak(["--minutes", "0.2", "--per-second", "4"]);
  });

  it("has every request answered and every chore done, and ends well", () => {
    expect(run.code, run.errors).toBe(0);
    expect(run.output).toContain("good  answers: 0 answers");
    expect(run.output).toContain("good  chores: 0 imports or rotations failed");
  });

  it("prints its rows, the chores that were done, and the latency of each endpoint", () => {
    // How many there are by then is the machine's affair.
    expect(run.output).toMatch(/^Meanwhile: import transactions [1-9]/m);
    for (const endpoint of mixedEndpoints) expect(run.output).toMatch(new RegExp(`^${endpoint} +[1-9]`, "m"));
    expect(run.output.match(/^ +0\.\d /gm)?.length).toBeGreaterThanOrEqual(2);
  });
});
