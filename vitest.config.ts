// First of all: an old Node would fail in every test, and say nothing of the reason.
// oxlint-disable-next-line import/no-unassigned-import
import "./local/require-node.mjs";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** `local/require-node.mjs` says why. A test's process does not load it. */
const WASM_WRAPPERS_STAY = "--wasm-wrapper-tiering-budget=2147483647";

const { TEST_REPORT } = process.env;
// The processes of the tests load the same packages.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/countinghouse-code");

const ALL = "test/**/*.test.ts";
const PACKAGES = "**/node_modules/**";

/** Modules are loaded once for all files of a process, so a file that replaces one has a process of its own. */
const replacesModules = (file: string): boolean =>
  /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(join(import.meta.dirname, file), "utf8"));
const alone = globSync(ALL, { cwd: import.meta.dirname, exclude: [PACKAGES] }).filter(replacesModules);

export default defineConfig({
  test: {
    // Nothing measures time; these bound what hangs. A hook may start a gateway or bundle a function.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    execArgv: [WASM_WRAPPERS_STAY],
    reporters: TEST_REPORT ? ["default", ["json", { outputFile: TEST_REPORT }]] : ["default"],
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: [ALL],
          exclude: [PACKAGES, ...alone],
          isolate: false,
          setupFiles: ["test/support/leave-nothing-behind.ts"],
        },
      },
      { extends: true, test: { name: "alone", include: alone } },
    ],
  },
});
