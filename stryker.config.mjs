/**
 * `npm run mutate`: changes the rules one place at a time, and sees whether a test fails for it. The tests are those of
 * `vitest.mutate.config.ts`.
 *
 * @type {import("@stryker-mutator/api/core").PartialStrykerOptions}
 */
export default {
  mutate: [
    // The rooms that compute and nothing else.
    "lib/{json,signature,rate-limit,transactions,sell-orders,passes,trades}/**/*.ts",
    // What asks the store, or spells what it is asked, is judged by the integration tests, which need an engine.
    "!lib/**/*-{store,register,rehearsal}.ts",
    "!lib/**/{put,publish,void}-*.ts",
    "!lib/transactions/transaction-{filter,search}.ts",
    // What is declared, put together or logged has no rule: `test/infra/drift.test.ts` and the types hold it.
    "!lib/**/contract.ts",
    "!lib/**/{create-rate-limit,authenticate-wallet,report-outage,report-damage}.ts",
  ],
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutate.config.ts" },
  coverageAnalysis: "perTest",
  // Patterns and words of the contracts are made once, when a file is loaded: without them the rules would hardly be judged.
  ignoreStatic: false,
  concurrency: 1,
  thresholds: { high: 95, low: 85, break: 85 },
  reporters: ["clear-text", "progress-append-only", "html"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: ".stryker/report.html" },
  incrementalFile: ".stryker/incremental.json",
  tempDirName: ".stryker/sandbox",
  ignorePatterns: [".countinghouse", "cdk.out"],
  warnings: { slow: false },
  // TypeScript 7 has no compiler interface that Stryker could rewrite our tsconfig by, which points nowhere outside anyway.
  tsconfigFile: "none",
};
