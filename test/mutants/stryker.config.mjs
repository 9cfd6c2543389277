// `npm run mutate` changes the rules in one place at a time, and looks whether a test of `test/mutants/vitest.config.ts` fails.
export default {
  mutate: [
    // The rooms that hold rules.
    "lib/{json,signature,rate-limit,transactions,sell-orders,passes,trades}/**/*.ts",
    "lib/dynamo/resolve-version.ts",
    // Rules that no function needs.
    "ops/import/{drop-unknown,trades/print-ids,trades/withdraw-trades}.ts",
    "ops/{credentials/public-key*,segments/compaction,segments/replace-segments,segments/read-cost,signing/sign-request}.ts",
    "local/store/charged-tokens.ts",
    "client/src/*.ts",
    // Integration tests judge the files that call DynamoDB or write its expressions, and they need an engine.
    "!lib/**/*-{store,register}.ts",
    "!lib/{transactions,sell-orders,passes}/{put,void}-*.ts",
    "!lib/transactions/transaction-{filter,search}.ts",
    // Contracts, composition and log lines have no rules. `test/infra/drift.test.ts` and the types hold them.
    "!{lib/**,client/src}/contract.ts",
    "!lib/**/{create-rate-limit,authenticate-wallet,report-outage,report-damage}.ts",
  ],
  testRunner: "vitest",
  vitest: { configFile: "test/mutants/vitest.config.ts" },
  coverageAnalysis: "perTest",
  // Patterns and words of the contracts are made once, when a file is loaded. Without them few rules would be judged.
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
  // Stryker would rewrite tsconfig.json by a compiler interface that TypeScript 7 does not have. Nothing in it needs that.
  tsconfigFile: "none",
};
