import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes seconds where other tests take milliseconds. */
const SLOW = /\/test\/property\/|\/trade-reader\.test\.ts$/;

/** What a quick test finds costs no more: Stryker ends a mutant's run with the first test that fails. */
class QuickTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...files].sort((a, b) => Number(isSlow(a)) - Number(isSlow(b)));
  }
}

/**
 * The tests that `npm run mutate` judges mutants by. They start no store and wait for nothing. Simulations of many seconds
 * are left out: what they alone would find is better found by a test of the rule.
 */
export default defineConfig({
  test: {
    include: [
      "test/unit/{json,signature,rate-limit,transactions,sell-orders,passes,trades,client}/**/*.test.ts",
      "test/unit/dynamo/resolve-version.test.ts",
      "test/unit/lifecycle.test.ts",
      "test/unit/ops/{import/drop-unknown,credentials/public-key,signing/sign-request}.test.ts",
      "test/unit/local/store/charged-tokens.test.ts",
      "test/property/{client-walk,compaction,documents,if-none-match,key-forms,member-names,trade-batches,trade-listing}.test.ts",
    ],
    // As many cases as a mutant's score is worth; a run of the tests tries fewer.
    env: { TEST_CASES: "5" },
    setupFiles: [join(import.meta.dirname, "../support/unshrunk-properties.ts")],
    sequence: { sequencer: QuickTestsFirst },
    testTimeout: 60_000,
  },
});
