import { defineConfig } from "vitest/config";

/** `npm run write -- pictures`: makes the pictures of README and documents from what runs. One after another, on one port. */
export default defineConfig({
  test: {
    include: ["bench/pictures/*.picture.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
