// `npm run mutate` changes the rules in one place at a time, and looks whether a test of `test/mutants/vitest.config.ts` fails.
//
// These survive because they mean the same; any other survivor is a missing test:
//
// lib/json/exact-json.ts             no look for names of digits: it only spares work; a text that is not a name, in `markDigits`;
//                                    no check for an open object or list: `assertSyntax` has made sure of it
// lib/json/member-path.ts            another text between names before their digits are counted: it has no digits
// lib/json/members.ts                no check that an instant was parsed, or that there are members: both are checked before
// lib/signature/canonical-request    no pattern of a signature, or no length: either refuses all others
// lib/signature/ed25519.ts           no points that are not reduced, or `y <= p`: either refuses what the other refuses;
//                                    no `catch` in `readPublicKey`: no platform of today refuses 32 bytes that get there
// lib/dynamo/resolve-version.ts, lib/passes/pass-rules.ts   no look whether there is a version: each item has one
// lib/rate-limit/rate-limit.ts       no check for an owner: no state is remembered without one
// lib/passes/entity-tag.ts           no check for a header: `undefined` names no tag
// lib/transactions/transaction-rules the first reference in `referenceNames`: the first is never a repetition
// lib/transactions/created-key.ts    a position anywhere in the text: no id has a `#`
// lib/transactions/list-window.ts    now, taken for later, in `laterOf`: both are the same instant
// lib/trades/cursor.ts               no length of its bytes, or no bound of the end: the pattern and the other bounds fix them
// lib/trades/decimal.ts              padding of digits that are long enough: it adds nothing
// lib/trades/pack-segment.ts         a smaller comparison of what was packed: only a fault of the codec could differ
// lib/trades/segment-codec.ts        another level of compression, no limit of unpacking; a word other than `whole`, a
//                                    revision below 0, a row beyond the last: none of these is ever written
// ops/import/drop-unknown.ts         list positions read like members: an element is a member of its list
// local/credentials/public-key.ts      no removal of the byte order mark, no short way for SPKI: `trim` and the reader of DER do it
// client/src/budget.ts               no look whether tokens are missing: the longest wait is 0 at least
// client/src/decimal.ts              the number of digits added on both sides: the digits are compared first
// client/src/ed25519.ts              another call of WebCrypto: the fallback signs the same
// client/src/read-body.ts            every body parsed with its digits: it only takes time
// client/src/shape.ts, trade-position.ts   no known shapes, no short way when nothing was given: they only spare work
// everywhere                         `utf8` left out; the message or `throw` for what a shape has made sure of
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
