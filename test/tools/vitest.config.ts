import { defineConfig } from "vitest/config";

/**
 * `npm run test:tools`: what is tried with programs of others that `npm ci` does not install, and the package once more,
 * on the oldest Node.js that it promises to run on.
 */
export default defineConfig({
  test: {
    include: ["test/tools/*.tool.ts", "test/end-to-end/{package,embedding}.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
  },
});
