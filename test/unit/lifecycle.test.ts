import { describe, expect, test } from "vitest";
import { creationStep, type Lifecycle, unusualStep, versionKey } from "../../lib/lifecycle.ts";
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

/** Every pair of states that is named, and no other, is a usual step; a state may always be repeated. */
function expectUsual<State extends string>(
  lifecycle: Lifecycle<State>,
  usual: Record<State, readonly State[]>,
) {
  const states = Object.keys(usual) as State[];
  for (const from of states) {
    for (const to of states) {
      const step = from === to || usual[from].includes(to) ? undefined : `${from} → ${to}`;
      expect([from, to, unusualStep(lifecycle, from, to)]).toEqual([from, to, step]);
    }
  }
}

test("a transaction usually goes on from created and pending, and from completed only by being reverted", () =>
  expectUsual(transactionLifecycle, {
    created: ["pending", "completed", "declined", "failed", "reverted"],
    pending: ["completed", "declined", "failed", "reverted"],
    completed: ["reverted"],
    declined: [],
    failed: [],
    reverted: [],
  }));

test("a sell order usually goes on from awaiting and processing, and from expired only to a late deposit's end", () =>
  expectUsual(sellOrderLifecycle, {
    AWAITING_DEPOSIT: ["AWAITING_DEPOSIT (SEEN)", "PROCESSING", "COMPLETED", "FAILED", "FAILED (EXPIRED)"],
    "AWAITING_DEPOSIT (SEEN)": ["PROCESSING", "COMPLETED", "FAILED", "FAILED (EXPIRED)"],
    PROCESSING: ["COMPLETED", "FAILED"],
    "FAILED (EXPIRED)": ["FAILED"],
    COMPLETED: [],
    FAILED: [],
  }));

test.each(["", "unheard-of", "constructor"])(
  "from a state that the contract does not have (%j), every step is unusual",
  (from) => expect(unusualStep(transactionLifecycle, from, "pending")).toBe(`${from} → pending`),
);

test("a change of the instant of creation is reported with both instants, to the microsecond", () => {
  expect(creationStep("001772359200000000", "001772359200000000")).toBeUndefined();
  expect(creationStep("001772359200000000", "001772359200000001")).toBe(
    "created_at 2026-03-01T10:00:00.000000Z → 2026-03-01T10:00:00.000001Z",
  );
});

test("versions sort as text by their instant, then by rank", () => {
  const later = [0, 1].map((rank) => versionKey("000000000000000002", rank));
  const sorted = [versionKey("000000000000000001", 9), ...later];
  expect(sorted.toSorted()).toEqual(sorted);
});
