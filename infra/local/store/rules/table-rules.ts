import type { Rule } from "./rule.ts";
import { NEITHER } from "./rule-terms.ts";

/** Rules for requests about tables themselves. */
export const tableRules: readonly Rule[] = [
  {
    name: "no-local-indexes",
    demands: "Here alone: a table has no local secondary indexes, which this project does not use.",
    source:
      "DynamoDB takes them (API reference, CreateTable, LocalSecondaryIndexes); the local store knows no rules for them",
    operations: ["CreateTable"],
    keptBy: NEITHER,
    check: ({ input: { LocalSecondaryIndexes: indexes } }) =>
      Array.isArray(indexes) && indexes.length > 0
        ? "The local store holds no local secondary indexes to DynamoDB's rules, and so takes none."
        : undefined,
  },
];
