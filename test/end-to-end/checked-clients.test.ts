import { spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { type InterfaceName, interfaceNames } from "../../ops/check-client/scene.ts";
import type { Finding } from "../../ops/checks/rule.ts";
import { runOperator } from "../support/operator.ts";
import { projectRoot } from "../support/project.ts";

const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
/** Each scene starts the client anew: it keeps its compiled code. */
const env = { PATH: `${dirname(process.execPath)}${delimiter}${PATH}`, NODE_COMPILE_CACHE };

const hasPython = spawnSync("python3", ["-c", "import cryptography"]).status === 0;

/** A program that is checked, as its reader would start it. */
type CheckedProgram = readonly [file: string, name: InterfaceName, program: string, args: readonly string[]];

const poll = ["--every", "0.1", "loyalty-checked-1"];
const programs: readonly CheckedProgram[] = [
  ["docs/examples/typescript/list-trades.ts", "exchange", process.execPath, ["BTC-USD"]],
  ["docs/examples/typescript/poll-pass.ts", "passes", process.execPath, poll],
  ["docs/examples/python/list_trades.py", "exchange", "python3", ["BTC-USD"]],
  ["docs/examples/python/poll_pass.py", "passes", "python3", poll],
  ...interfaceNames.map(
    (name) => ["test/support/client-program.ts", name, process.execPath, [name]] as const,
  ),
];

/** Only the walk through the trades reads several windows, and shows what is at the border of two. */
const unseenOf = (file: string, name: InterfaceName): readonly string[] =>
  name === "business" || (name === "exchange" && file.startsWith("docs/examples/"))
    ? [`${name}/window-no-overlap`, `${name}/window-no-gap`]
    : [];

describe("check-client finds no fault", () => {
  // A check mostly waits, as it tells its client to.
  test.concurrent.each<CheckedProgram>(
    programs.filter(([, , program]) => hasPython || program !== "python3"),
  )(
    "in %s, on the interface %s",
    async (file, name, program, given) => {
      const args = ["check-client", "--interface", name, "--json", "--", program, file, ...given];
      const { code, stdout } = await runOperator(args, { cwd: projectRoot, env });
      const findings = JSON.parse(stdout) as Finding[];
      const of = (verdict: Finding["verdict"]) => findings.filter((finding) => finding.verdict === verdict);
      expect(of("fail")).toEqual([]);
      expect(of("not checked").map(({ id }) => id)).toEqual(unseenOf(file, name));
      expect(code).toBe(0);
    },
    60_000,
  );
});
