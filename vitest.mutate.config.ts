import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A unit test judges a mutant in milliseconds, a property in seconds: what the first ones find costs no more. */
class UnitTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isProperty = ({ moduleId }: TestSpecification) => moduleId.includes("/test/property/");
    return [...files].sort((a, b) => Number(isProperty(a)) - Number(isProperty(b)));
  }
}

/** The tests that `npm run mutate` judges mutants by: those that neither start a store nor wait for anything. */
export default defineConfig({
  test: {
    include: [
      "test/unit/{json,signature,rate-limit,transactions,sell-orders,passes,trades}/**/!(trade-reader).test.ts",
      "test/unit/lifecycle.test.ts",
      "test/property/{documents,member-names,key-forms,if-none-match,compaction,trade-batches,trade-listing}.test.ts",
    ],
    setupFiles: ["test/support/unshrunk-properties.ts"],
    sequence: { sequencer: UnitTestsFirst },
    testTimeout: 60_000,
  },
});
