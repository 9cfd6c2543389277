import { describe, expect, test } from "vitest";
import { type Lifecycle, leadingTo } from "../../lib/lifecycle.ts";
import { sellOrderLifecycle } from "../../lib/sell-orders/sell-order-kinds.ts";
import { transactionLifecycle } from "../../lib/transactions/transaction-kinds.ts";

const lifecycles: readonly (readonly [string, Lifecycle<string>])[] = [
  ["a transaction", transactionLifecycle],
  ["a sell order", sellOrderLifecycle],
];

describe.each(lifecycles)("the states of %s", (_record, { rank, reaches }) => {
  const steps = Object.entries(reaches).flatMap(([from, states]) => states.map((to) => [from, to] as const));

  test.each(steps)("%s has a lower rank than %s, which follows it", (from, to) =>
    expect(rank[from]).toBeLessThan(rank[to] ?? 0),
  );

  test.each(steps)(
    "%s also reaches what follows %s: a version in between may not have been seen",
    (from, to) => expect(reaches[from]).toEqual(expect.arrayContaining([...(reaches[to] ?? [])])),
  );
});

describe("a version of a transaction", () => {
  test.each([
    ["created", ["created"]],
    ["pending", ["created", "pending"]],
    ["completed", ["created", "pending", "completed"]],
    ["declined", ["created", "pending", "declined"]],
    ["failed", ["created", "pending", "failed"]],
    ["reverted", ["created", "pending", "completed", "reverted"]],
  ] as const)("that is %s may follow %j", (state, earlier) =>
    expect(leadingTo(transactionLifecycle, state)).toEqual(earlier),
  );
});

describe("a version of a sell order", () => {
  test.each([
    ["AWAITING_DEPOSIT", ["AWAITING_DEPOSIT"]],
    ["AWAITING_DEPOSIT (SEEN)", ["AWAITING_DEPOSIT", "AWAITING_DEPOSIT (SEEN)"]],
    ["PROCESSING", ["AWAITING_DEPOSIT", "AWAITING_DEPOSIT (SEEN)", "PROCESSING"]],
    ["COMPLETED", ["AWAITING_DEPOSIT", "AWAITING_DEPOSIT (SEEN)", "PROCESSING", "COMPLETED"]],
    ["FAILED", ["AWAITING_DEPOSIT", "AWAITING_DEPOSIT (SEEN)", "PROCESSING", "FAILED (EXPIRED)", "FAILED"]],
    ["FAILED (EXPIRED)", ["AWAITING_DEPOSIT", "FAILED (EXPIRED)"]],
  ] as const)("that is %s may follow %j", (state, earlier) =>
    expect(leadingTo(sellOrderLifecycle, state)).toEqual(earlier),
  );
});
