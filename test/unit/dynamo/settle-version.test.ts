import { describe, expect, test } from "vitest";
import { settle, type VersionedRecord } from "../../../lib/dynamo/settle-version.ts";

const itemOf = (version: string, state: string, doc = "x", created = "1") => ({
  id: { S: "1" },
  version: { S: version },
  state: { S: state },
  doc: { S: doc },
  created: { S: created },
});
const recordOf = (item: ReturnType<typeof itemOf>): VersionedRecord => ({
  item,
  stateMember: "state",
  follows: ["open", item.state.S],
  fixed: { created_at: "created", request_id: "request" },
});
const outcomeOf = (stored: ReturnType<typeof itemOf>, item: ReturnType<typeof itemOf>) =>
  settle(stored, recordOf(item)).outcome;

describe("a version, against the stored one,", () => {
  test.each([
    ["of an earlier instant is stale, whatever its state", itemOf("1#9", "closed"), "stale"],
    ["of the same instant and a lower rank is stale", itemOf("2#0", "open"), "stale"],
    ["of the same instant, rank and a lower text is stale", itemOf("2#1", "open", "a"), "stale"],
    ["that is equal is unchanged", itemOf("2#1", "open"), "unchanged"],
    ["of the same instant, rank and a higher text is written", itemOf("2#1", "open", "y"), "written"],
    ["of the same instant and a higher rank is written", itemOf("2#2", "closed", "a"), "written"],
    ["of a later instant is written", itemOf("3#0", "open", "a"), "written"],
  ])("%s", (_what, item, outcome) => expect(outcomeOf(itemOf("2#1", "open"), item)).toEqual({ outcome }));

  test("is refused when its state cannot follow", () =>
    expect(outcomeOf(itemOf("2#1", "closed"), itemOf("3#0", "open"))).toEqual({
      outcome: "refused",
      reason: "state cannot go from closed to open",
    }));

  test("may be later in a final state", () =>
    expect(outcomeOf(itemOf("2#1", "closed"), itemOf("3#1", "closed"))).toEqual({ outcome: "written" }));

  test("is refused when what never changes differs, and told which member", () => {
    expect(outcomeOf(itemOf("2#1", "open"), itemOf("3#0", "open", "x", "2"))).toMatchObject({
      reason: "created_at differs from what is stored: it never changes",
    });
    const withRequest = { ...itemOf("3#0", "open"), request: { S: "r" } };
    expect(outcomeOf(itemOf("2#1", "open"), withRequest)).toMatchObject({
      reason: "request_id differs from what is stored: it never changes",
    });
    expect(outcomeOf(withRequest, itemOf("4#0", "open"))).toMatchObject({ outcome: "refused" });
  });
});
