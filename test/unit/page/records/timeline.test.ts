import { expect, test } from "vitest";
import { timelineOf } from "../../../../page/src/records/timeline.ts";

const order = (state: string, next: readonly string[] = []) => ({
  kind: "sell order" as const,
  id: "o",
  state,
  next,
});
const created = "2026-01-01T00:00:00.000Z";
const later = "2026-01-01T01:00:00.000Z";
const last = "2026-01-01T02:00:00.000Z";

test("a new order is awaited, has one next step on its line, and branches off it", () => {
  const members = { created_at: created, updated_at: created };
  const next = ["DEPOSIT_SEEN", "PROCESSING", "COMPLETED", "EXPIRED", "FAILED"];
  expect(timelineOf(order("AWAITING_DEPOSIT", next), members)).toEqual([
    { state: "AWAITING_DEPOSIT", place: "present", at: created },
    { state: "DEPOSIT_SEEN", place: "next" },
    { state: "PROCESSING", place: "later" },
    { state: "COMPLETED", place: "later" },
    { state: "EXPIRED", place: "instead" },
    { state: "FAILED", place: "instead" },
  ]);
});

test("a record that has left its line has one next step, and the others instead of it", () => {
  const places = timelineOf(order("EXPIRED", ["REFUNDED", "FAILED"]), {}).map(({ place }) => place);
  expect(places.slice(-2)).toEqual(["next", "instead"]);
});

test("what would undo the end of the line is not its next step", () => {
  const record = { kind: "transaction" as const, id: "t", state: "completed", next: ["reverted"] };
  expect(timelineOf(record, {}).at(-1)).toEqual({ state: "reverted", place: "instead" });
});

test("the way to a state of the line is whole, and what the record does not prove of it is told apart", () => {
  const members = { created_at: created, updated_at: last, transaction_hash: "0x1" };
  expect(timelineOf(order("COMPLETED"), members)).toEqual([
    { state: "AWAITING_DEPOSIT", place: "passed", at: created },
    { state: "DEPOSIT_SEEN", place: "passed" },
    { state: "PROCESSING", place: "unproven" },
    { state: "COMPLETED", place: "present", at: last },
  ]);
});

test("a record that has left its line was in no state that it does not prove", () => {
  const members = { created_at: created, updated_at: later };
  const states = timelineOf(order("EXPIRED", ["REFUNDED"]), members).map(({ state }) => state);
  expect(states).toEqual(["AWAITING_DEPOSIT", "EXPIRED", "REFUNDED"]);
});

test("a proven state shows the way to it, also of a record that has left its line", () => {
  const members = { created_at: created, updated_at: last, completed_at: later };
  const record = { kind: "transaction" as const, id: "t", state: "reverted", next: [] };
  expect(timelineOf(record, members)).toEqual([
    { state: "created", place: "passed", at: created },
    { state: "pending", place: "unproven" },
    { state: "completed", place: "passed", at: later },
    { state: "reverted", place: "present", at: last },
  ]);
});

test("a deposit that is announced is not behind the order that awaits it", () => {
  const members = { created_at: created, updated_at: later, transaction_hash: "0x1" };
  const [first] = timelineOf(order("AWAITING_DEPOSIT", ["DEPOSIT_SEEN"]), members);
  expect(first).toEqual({ state: "AWAITING_DEPOSIT", place: "present", at: later });
});
