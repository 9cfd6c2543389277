import { CommanderError } from "commander";
import { describe, expect, test, vi } from "vitest";
import { StageError } from "../../../infra/stage.ts";
import { simulate } from "../../../scale/program.ts";
import type { Played } from "../../../scale/report.ts";
import { playedLines } from "../../../scale/terminal.ts";

/** Runs the command, and returns what it says about wrong arguments. */
async function failureOf(...argv: string[]): Promise<{ error: unknown; said: string }> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const error = await simulate(argv).catch((reason: unknown) => reason);
    return { error, said: write.mock.calls.map(([text]) => String(text)).join("") };
  } finally {
    write.mockRestore();
  }
}

const played: Played = {
  name: "one hot market, no mirror",
  about: `${"word ".repeat(30)}end.`,
  offered: [999_999, 999_999, 999_999, 999_999],
  served: [1, 2, 3, 4],
  refused: { gateway: 0, lambda: 0, limit: 12, store: 4_918_450 },
  coldStarts: 0,
  environments: 0,
  partitions: 0,
  standsFor: 1,
  seconds: [],
};

describe("npm run simulate", () => {
  test("prints the first walls of every call, in 80 columns", async () => {
    const lines = (await simulate(["--no-play"])).split("\n");
    expect(lines).toContain("list-trades, newest 1,000 trades");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("prints a scenario in 80 columns, and only the parts that refused something", () => {
    const lines = playedLines(played);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.at(-1)).toBe("  cold starts: 0; refused: 12 by limit, 4,918,450 by store");
  });

  test("prints every wall of the calls that --call names, and no other calls", async () => {
    const text = await simulate(["--call", "get-pass"]);
    expect(text).toContain("Lambda's environments of the account");
    expect(text).not.toContain("list-trades");
  });

  test("computes with the account that it is given: 10 environments are 100 requests a second", async () => {
    const { account, calls } = JSON.parse(await simulate(["--no-play", "--json", "--concurrency", "10"]));
    expect(account).toEqual({ concurrency: 10, requestsPerSecond: 10_000 });
    for (const { walls } of calls)
      expect(walls).toContainEqual(
        expect.objectContaining({
          name: "Lambda's requests a second of the account",
          callsPerSecond: 100,
        }),
      );
  });

  test("names the calls that there are when none is meant", async () => {
    const { error, said } = await failureOf("--call", "get-refund");
    expect(error).toBeInstanceOf(CommanderError);
    expect(said).toMatch(/no call has get-refund in its name; there are get-transaction; .*get-sell-order/);
  });

  test.each(["0", "-1", "1.5", "many"])("refuses %s environments", async (number) => {
    const { error, said } = await failureOf("--concurrency", number);
    expect(error).toMatchObject({ exitCode: 1 });
    expect(said).toMatch(/whole number from 1/);
  });

  test("says which file of a stage it misses", async () => {
    expect((await failureOf("--stage", "nowhere")).error).toBeInstanceOf(StageError);
  });
});
