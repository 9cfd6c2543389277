import { describe, expect, test } from "vitest";
import { foreignName, memberPath } from "../../../lib/json/member-path.ts";

describe("a member's path", () => {
  test("counts the digits of its names alone: those of a position tell nothing of a card", () => {
    expect(memberPath(["legs", 1_234_567, "a123456"])).toBe("legs[1234567].a123456");
    expect(memberPath(["legs", 0, "a1234567"])).toBe('legs[0]."a…"');
  });
});

describe("a name of a foreign file", () => {
  test.each([
    ["Price", "Price"],
    ["Order Id", '"Order Id"'],
    ["card 4111111111111111", '"card …"'],
    ["\u009bred", '"\\u{9b}red"'],
  ])("%j is shown as a member's would be", (name, shown) => expect(foreignName(name)).toBe(shown));
});
