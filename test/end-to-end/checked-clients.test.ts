import { spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../ops/checks/rule.ts";
import { runOperator } from "../support/operator.ts";
import { projectRoot } from "../support/project.ts";

const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
/** Each scene starts the client anew: it keeps its compiled code. */
const env = { PATH: `${dirname(process.execPath)}${delimiter}${PATH}`, NODE_COMPILE_CACHE };

const hasPython = spawnSync("python3", ["-c", "import cryptography"]).status === 0;

/** A program that is checked, as its reader would start it. */
interface CheckedProgram {
  readonly file: string;
  readonly interfaceName: "business" | "exchange" | "passes" | "ramp";
  readonly command: readonly string[];
}

const exampleOf = (program: string, file: string): CheckedProgram =>
  /list.trades/.test(file)
    ? { file, interfaceName: "exchange", command: [program, file, "BTC-USD"] }
    : { file, interfaceName: "passes", command: [program, file, "--every", "0.1", "loyalty-checked-1"] };

const examples = [
  exampleOf(process.execPath, "docs/examples/typescript/list-trades.ts"),
  exampleOf(process.execPath, "docs/examples/typescript/poll-pass.ts"),
  ...(hasPython
    ? [
        exampleOf("python3", "docs/examples/python/list_trades.py"),
        exampleOf("python3", "docs/examples/python/poll_pass.py"),
      ]
    : []),
];

const clientFile = "test/support/client-program.ts";
const clients = (["business", "exchange", "passes", "ramp"] as const).map(
  (interfaceName): CheckedProgram => ({
    file: `client/, on the interface ${interfaceName}`,
    interfaceName,
    command: [process.execPath, clientFile, interfaceName],
  }),
);

/** Only the walk through the trades reads several windows, and shows what is at the border of two. */
const unseenOf = ({ file, interfaceName }: CheckedProgram): readonly string[] =>
  interfaceName === "business" || (interfaceName === "exchange" && file.startsWith("docs/examples/"))
    ? [`${interfaceName}/window-no-overlap`, `${interfaceName}/window-no-gap`]
    : [];

describe("check-client finds no fault", () => {
  // A check mostly waits, as it tells its client to.
  test.concurrent.each([...examples, ...clients])(
    "in $file",
    async (program) => {
      const { interfaceName, command } = program;
      const args = ["check-client", "--interface", interfaceName, "--json", "--", ...command];
      const { code, stdout } = await runOperator(args, { cwd: projectRoot, env });
      const findings = JSON.parse(stdout) as Finding[];
      const of = (verdict: Finding["verdict"]) => findings.filter((finding) => finding.verdict === verdict);
      expect(of("fail")).toEqual([]);
      expect(of("not checked").map(({ id }) => id)).toEqual(unseenOf(program));
      expect(code).toBe(0);
    },
    60_000,
  );
});
