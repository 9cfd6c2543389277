// First of all: an old Node would fail in every test, and say nothing of the reason.
// oxlint-disable-next-line import/no-unassigned-import
import "./local/require-node.mjs";
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { SlowestFiles } from "./test/support/slowest-files.ts";
import { UnitsLast } from "./test/support/units-last.ts";

/** `local/require-node.mjs` says why. A test's process does not load it. */
const WASM_WRAPPERS_STAY = "--wasm-wrapper-tiering-budget=2147483647";

const { TEST_REPORT } = process.env;
const reports: ["json", { outputFile: string }][] = TEST_REPORT
  ? [["json", { outputFile: TEST_REPORT }]]
  : [];
// The processes of the tests load the same packages.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/countinghouse-code");

/** How many times as many cases `npm test -- --mode deep` tries, and the longest that one of its tests may then take. */
const DEEP = { times: 50, testMs: 3_600_000 };

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, file), "utf8");
const files = globSync("test/**/*.test.ts", { cwd: import.meta.dirname, exclude: ["**/node_modules/**"] });

/** Modules are loaded once for all files of a process, so a file that replaces one has a process of its own. */
const isAlone = (file: string): boolean => /\bvi\.(?:mock|doMock|resetModules)\(/.test(textOf(file));

/** Files that try as many cases as they are told to (`test/support/cases.ts`): all that a deep run runs. */
const deep = files.filter((file) => /\bcases\(/.test(textOf(file)));

export default defineConfig(({ mode }) => {
  const isDeep = mode === "deep";
  const chosen = isDeep ? deep : files;
  return {
    test: {
      env: isDeep ? { TEST_CASES: String(DEEP.times) } : {},
      // Nothing measures time; these bound what hangs. A hook may start a gateway or bundle a function.
      testTimeout: isDeep ? DEEP.testMs : 60_000,
      hookTimeout: 120_000,
      // One more than the cores: many tests mostly wait.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: UnitsLast },
      execArgv: [WASM_WRAPPERS_STAY],
      reporters: ["default", new SlowestFiles(), ...reports],
      projects: [
        {
          extends: true,
          test: {
            name: "together",
            include: chosen.filter((file) => !isAlone(file)),
            isolate: false,
            setupFiles: ["test/support/built-threads.ts", "test/support/leave-nothing-behind.ts"],
          },
        },
        {
          extends: true,
          test: {
            name: "alone",
            include: chosen.filter(isAlone),
            setupFiles: ["test/support/built-threads.ts"],
          },
        },
      ],
    },
  };
});
