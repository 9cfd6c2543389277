// First of all: an old Node would fail in every test, and say nothing of the reason.
// oxlint-disable-next-line import/no-unassigned-import
import "./local/require-node.mjs";
import { defineConfig } from "vitest/config";

const { TEST_REPORT } = process.env;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Nothing measures time; these bound what hangs. A hook may start a gateway or bundle a function.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: TEST_REPORT ? ["default", ["json", { outputFile: TEST_REPORT }]] : ["default"],
  },
});
