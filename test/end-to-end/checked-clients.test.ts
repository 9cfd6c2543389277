import { spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../ops/contract-check/check-pass.ts";
import { runOperator } from "../support/operator.ts";

const projectRoot = join(import.meta.dirname, "../..");
const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}` };

const hasPython = spawnSync("python3", ["-c", "import cryptography"]).status === 0;

/** A program of `examples/`, as its reader would start it. */
interface Example {
  readonly file: string;
  readonly interfaceName: "exchange" | "passes";
  readonly command: readonly string[];
}

const exampleOf = (program: string, file: string): Example =>
  /list.trades/.test(file)
    ? { file, interfaceName: "exchange", command: [program, file, "BTC-USD"] }
    : { file, interfaceName: "passes", command: [program, file, "--every", "0.1", "loyalty-checked-1"] };

const examples = [
  exampleOf(process.execPath, "examples/typescript/list-trades.ts"),
  exampleOf(process.execPath, "examples/typescript/poll-pass.ts"),
  ...(hasPython
    ? [
        exampleOf("python3", "examples/python/list_trades.py"),
        exampleOf("python3", "examples/python/poll_pass.py"),
      ]
    : []),
];

/** A program that reads one window has no border between two. */
const unseen = { exchange: ["window-no-overlap", "window-no-gap"], passes: [] } as const;

describe("check-client finds no fault", () => {
  test.each(examples)(
    "in $file",
    async ({ interfaceName, command }) => {
      const args = ["check-client", "--interface", interfaceName, "--json", "--", ...command];
      const { code, stdout } = await runOperator(args, { cwd: projectRoot, env });
      const findings = JSON.parse(stdout) as Finding[];
      const of = (verdict: Finding["verdict"]) => findings.filter((finding) => finding.verdict === verdict);
      expect(of("fail")).toEqual([]);
      expect(of("not checked").map(({ id }) => id)).toEqual(
        unseen[interfaceName].map((id) => `${interfaceName}/${id}`),
      );
      expect(code).toBe(0);
    },
    60_000,
  );
});
