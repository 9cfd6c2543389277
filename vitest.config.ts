// First of all: an old Node would fail in every test, and say nothing of the reason.
// oxlint-disable-next-line import/no-unassigned-import
import "./local/require-node.mjs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** `local/require-node.mjs` says why. A test's process does not load it. */
const WASM_WRAPPERS_STAY = "--wasm-wrapper-tiering-budget=2147483647";

const { TEST_REPORT } = process.env;
// Each test file has a process of its own, which loads the same packages as the others.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/countinghouse-code");

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Nothing measures time; these bound what hangs. A hook may start a gateway or bundle a function.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    execArgv: [WASM_WRAPPERS_STAY],
    reporters: TEST_REPORT ? ["default", ["json", { outputFile: TEST_REPORT }]] : ["default"],
  },
});
